import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CALL_ACTIONS } from '#src/modules/calls/states/call-actions.js';
import {
  ACTION_COUNTER_AUDIT,
  CALL_COUNTER_AUDIT,
  CampaignCallCountersService,
  TRANSFER_COUNTER_AUDIT,
} from '../calls/campaign-call-counters.service.js';
import { TRANSFER_STATUSES } from '#src/modules/calls/states/call-transfers.js';
import { CALL_STATUSES } from '#src/modules/calls/states/call-states.js';
import {
  CampaignDataRegistryService,
  type CountByStatus,
} from '../campaigns/campaign-data-registry.service.js';

/** Call statistics of campaigns. Calls are kept when their campaign is deleted. */
@Injectable()
export class CampaignCallsService implements OnModuleInit {
  constructor(
    private readonly counters: CampaignCallCountersService,
    private readonly relatedData: CampaignDataRegistryService,
  ) {}

  onModuleInit(): void {
    this.relatedData.register('calls', {
      countByStatus: async (userId, id) => ({
        ...zeros(CALL_STATUSES),
        ...(await this.counters.countByStatus(userId, id)),
      }),
      audit: CALL_COUNTER_AUDIT,
    });
    this.relatedData.register('transfers', {
      countByStatus: async (_, id) => ({
        ...zeros(TRANSFER_STATUSES),
        ...(await this.counters.countTransfers(id)),
      }),
      audit: TRANSFER_COUNTER_AUDIT,
    });
    this.relatedData.register('actions', {
      countByStatus: async (_, id) => ({ ...zeros(CALL_ACTIONS), ...(await this.counters.countByType(id)) }),
      audit: ACTION_COUNTER_AUDIT,
    });
  }
}

const zeros = (names: readonly string[]): CountByStatus => Object.fromEntries(names.map((name) => [name, 0]));
