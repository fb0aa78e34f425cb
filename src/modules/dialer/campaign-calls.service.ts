import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CallsRepository } from '../calls/calls.repository.js';
import { CALL_STATUSES } from '../calls/call-states.js';
import {
  CampaignRelatedDataService,
  type CampaignRelatedData,
  type CountByStatus,
} from '../campaigns/campaign-related-data.service.js';

/** Call statistics of campaigns. Calls are kept when their campaign is deleted. */
@Injectable()
export class CampaignCallsService implements CampaignRelatedData, OnModuleInit {
  constructor(
    private readonly calls: CallsRepository,
    private readonly relatedData: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.relatedData.register('calls', this);
  }

  /** Number of calls by status, 0 included. */
  async countByStatus(campaignId: number): Promise<CountByStatus> {
    const none = Object.fromEntries(CALL_STATUSES.map((status) => [status, 0]));
    return { ...none, ...(await this.calls.countByStatus(campaignId)) };
  }
}
