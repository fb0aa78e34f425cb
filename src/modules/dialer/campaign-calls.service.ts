import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CALL_ACTIONS } from '../calls/call-actions.js';
import { CallActionsService } from '../calls/call-actions.service.js';
import { CallsRepository } from '../calls/calls.repository.js';
import { TRANSFER_STATUSES } from '../calls/call-transfers.js';
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
    private readonly actions: CallActionsService,
    private readonly relatedData: CampaignRelatedDataService,
  ) {}

  onModuleInit(): void {
    this.relatedData.register('calls', this);
    this.relatedData.register('transfers', {
      countByStatus: (userId, id) => this.countTransfers(userId, id),
    });
    this.relatedData.register('actions', { countByStatus: (userId, id) => this.countActions(userId, id) });
  }

  /** Number of calls by status, 0 included. */
  async countByStatus(userId: number, campaignId: number): Promise<CountByStatus> {
    return { ...zeros(CALL_STATUSES), ...(await this.calls.countByStatus(userId, campaignId)) };
  }

  private async countTransfers(userId: number, campaignId: number): Promise<CountByStatus> {
    return { ...zeros(TRANSFER_STATUSES), ...(await this.calls.countTransfers(userId, campaignId)) };
  }

  private async countActions(userId: number, campaignId: number): Promise<CountByStatus> {
    return { ...zeros(CALL_ACTIONS), ...(await this.actions.countByType(userId, campaignId)) };
  }
}

const zeros = (names: readonly string[]): CountByStatus => Object.fromEntries(names.map((name) => [name, 0]));
