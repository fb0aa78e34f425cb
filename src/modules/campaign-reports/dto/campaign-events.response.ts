import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { CampaignResponse, CampaignStatsResponse } from '#src/modules/campaigns/dto/campaign.response.js';

/** Data of the event `counters`: the campaign as `GET /user/campaigns/{id}` shows it. */
export class CountersEvent extends IntersectionType(
  PickType(CampaignResponse, ['status', 'stopped_reason', 'paused_reason']),
  CampaignStatsResponse,
) {
  @ApiProperty({ type: 'integer' }) campaign_id: number;
}
