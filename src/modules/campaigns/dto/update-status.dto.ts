import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField } from '#src/common/validation/fields.js';
import {
  CAMPAIGN_ACTIONS,
  CAMPAIGN_STATUSES,
  type CampaignAction,
  type CampaignStatus,
} from '../campaign.types.js';

export class UpdateStatusDto {
  @IdField()
  campaign_id: number;

  @EnumField(CAMPAIGN_ACTIONS)
  action: CampaignAction;
}

class CampaignStatusResponse {
  @ApiProperty({ type: 'integer' }) campaign_id: number;
  @ApiProperty({ enum: CAMPAIGN_STATUSES }) status: CampaignStatus;
}

export class UpdateStatusResponse {
  @ApiProperty() message: string;
  @ApiProperty({ description: 'False when the campaign could not be started.' }) success: boolean;
  @ApiProperty() data: CampaignStatusResponse;
}
