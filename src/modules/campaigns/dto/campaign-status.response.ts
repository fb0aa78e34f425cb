import { MessageResponse } from '#src/http/message.response.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../campaign.types.js';
import { ApiProperty } from '@nestjs/swagger';

class CampaignStatusResponse {
  @ApiProperty({ type: 'integer' }) campaign_id: number;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: CampaignStatus;
}

export class CampaignToSwitchNotFoundResponse extends MessageResponse {
  @ApiProperty({ enum: [false], type: Boolean }) success: boolean;
}

export class UpdateStatusResponse {
  @ApiProperty() message: string;
  @ApiProperty({ description: 'False when the campaign could not be started.' }) success: boolean;
  @ApiProperty() data: CampaignStatusResponse;
}
