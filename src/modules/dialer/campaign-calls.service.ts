import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CallRecords } from '../calls/call-records.service.js';
import { CALL_STATUSES } from '../calls/call-states.js';
import { CampaignParts, type CampaignPart, type CountByStatus } from '../campaigns/campaign-parts.js';

/** The calls as a part of their campaign's statistics; they outlive it. */
@Injectable()
export class CampaignCalls implements CampaignPart, OnModuleInit {
  constructor(
    private readonly calls: CallRecords,
    private readonly parts: CampaignParts,
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
