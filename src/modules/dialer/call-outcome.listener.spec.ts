import { describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { CallUnanswered } from '../calls/call-events.js';
import type { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { LeadQueueService, LeadCallOutcome } from '../leads/lead-queue.service.js';
import type { CallAttemptsRepository } from './call-attempts.repository.js';
import { CallOutcomeListener } from './call-outcome.listener.js';
import type { DialQueueService } from './dial-queue.service.js';
import type { LeadSelectionService } from './lead-selection.service.js';

interface Ended {
  callId: number;
  leadId: number;
  campaignId: number;
}

/**
 * @param lock waits for, or fails at, the locks of these calls' leads
 * @param locked leads that somebody else has locked
 */
function listenerOf(
  ended: readonly Ended[],
  lock: (callIds: readonly number[]) => Promise<void> = async () => undefined,
  locked: readonly number[] = [],
) {
  const written: LeadCallOutcome[][] = [];
  const of = (ids: readonly number[]): Ended[] => ended.filter(({ callId }) => ids.includes(callId));
  const attempts: Partial<CallAttemptsRepository> = {
    findPendingOutcomes: async (calls) =>
      of(calls.map(({ callId }) => callId)).map((call) => ({ ...call, isAwaited: false })),
    recordOutcomes: async (_tx, ids) =>
      of(ids).map(({ callId, leadId }) => ({
        callId,
        leadId,
        accountId: 1,
        contactId: null,
        leadStatus: 'created',
        phoneNumber: `+1415555${leadId}`,
        status: 'busy',
        answeredBy: 'unknown',
        endedReason: null,
        evaluation: {},
        evaluationError: null,
        hasContacts: false,
        isCalledAgain: false,
      })),
  };
  const leads: Partial<LeadQueueService> = {
    lockLeads: async (_tx, ids, whenLocked) => {
      const asked = ended.filter(
        ({ leadId }) => ids.includes(leadId) && !(whenLocked === 'skip' && locked.includes(leadId)),
      );
      await lock(asked.map(({ callId }) => callId));
      const found = asked.map(({ leadId: id, campaignId }) => ({
        id,
        campaignId,
        phoneNumber: `+1415555${id}`,
        variables: {},
        status: 'processing' as const,
        attempts: 1,
        contacts: [],
        requeueAfterCall: false,
        invalid: new Set<number>(),
      }));
      return new Map(found.map((lead) => [lead.id, lead]));
    },
    recordOutcomes: async (_tx, calls) => void written.push([...calls]),
  };
  const selection: Partial<LeadSelectionService> = {
    findDialableNumbers: async (_tx, _account, lead) => [lead],
  };
  const listener = new CallOutcomeListener(
    {
      transaction: (work: (tx: EntityManager) => Promise<void>) => work({} as never),
    } as unknown as DataSource,
    {
      findViews: async (_tx: EntityManager, ids: number[]) =>
        new Map(ids.map((id) => [id, { maxRetries: 1, retryInterval: 5 }])),
    } as unknown as CampaignDiallingService,
    leads as LeadQueueService,
    attempts as CallAttemptsRepository,
    selection as LeadSelectionService,
    {} as DialQueueService,
  );
  const end = (callId: number): Promise<void> =>
    listener.onCallUnanswered({
      id: '1',
      kind: CallUnanswered.name,
      payload: { callId, accountId: 1 },
      occurredAt: new Date(),
    });
  const settled = (): number[][] => written.map((calls) => calls.map(({ leadId }) => leadId));
  return { end, settled, written };
}

describe('CallOutcomeListener', () => {
  it('settles calls that end together in one transaction', async () => {
    const ended = [1, 2, 3].map((id) => ({ callId: id, leadId: 10 + id, campaignId: id }));
    const { end, settled, written } = listenerOf(ended);
    await Promise.all([end(1), end(2), end(3)]);
    expect(settled()).toEqual([[11, 12, 13]]);
    expect(written[0]?.[0]).toEqual({
      leadId: 11,
      dialledId: 11,
      phoneNumber: '+141555511',
      outcome: 'busy',
      status: 'reached-max-retries',
    });
  });

  it('settles each alone when the transaction fails, so that only the failing one is dispatched again', async () => {
    const ended = [1, 2, 3].map((id) => ({ callId: id, leadId: 10 + id, campaignId: 1 }));
    const { end, settled } = listenerOf(ended, async (ids) => {
      if (ids.includes(2)) throw new Error('lock timeout');
    });
    const results = await Promise.allSettled([end(1), end(2), end(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled()).toEqual([[11], [13]]);
  });

  it('delays no other call while one waits for a locked lead', async () => {
    const ended = [1, 2, 3].map((id) => ({ callId: id, leadId: 10 + id, campaignId: 1 }));
    let unlock = (): void => undefined;
    const isUnlocked = new Promise<void>((resolve) => (unlock = resolve));
    const { end, settled } = listenerOf(
      ended,
      (ids) => (ids.includes(1) ? isUnlocked : Promise.resolve()),
      [11],
    );
    const first = end(1);
    await Promise.all([end(2), end(3)]);
    expect(settled()).toEqual([[12, 13]]);
    unlock();
    await first;
    expect(settled()).toEqual([[12, 13], [11]]);
  });

  it('settles two calls of one lead one by one', async () => {
    const ended = [1, 2].map((id) => ({ callId: id, leadId: 11, campaignId: 1 }));
    const { end, settled } = listenerOf(ended);
    await Promise.all([end(1), end(2)]);
    expect(settled()).toEqual([[11], [11]]);
  });
});
