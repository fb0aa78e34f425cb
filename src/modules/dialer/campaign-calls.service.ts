import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CallsRepository } from '../calls/calls.repository.js';
import { CALL_STATUSES } from '../calls/call-states.js';
import {
  CampaignRelatedDataService,
  type CampaignRelatedData,
  type CountByStatus,
} from '../campaigns/campaign-related-data.service.js';

/** The calls as a part of their campaign's statistics; they outlive it. */
@Injectable()
export class CampaignCallsService implements CampaignRelatedData, OnModuleInit {
  constructor(
    private readonly calls: CallsRepository,
    private readonly parts: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.parts.register('calls', this);
  }

  /** A status that no call has counts 0. */
  async countByStatus(campaignId: number): Promise<CountByStatus> {
    const none = Object.fromEntries(CALL_STATUSES.map((status) => [status, 0]));
    return { ...none, ...(await this.calls.countByStatus(campaignId)) };
  }
}
