import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { NEVER_ATTEMPTED } from '../calls/call-reconciliation.processor.js';
import { CallCompleted, CallEnded, CallUnanswered, type CallFact } from '../calls/call-events.js';
import { CampaignStarted, type CampaignFact } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadQueueService, type SettledCall } from '../leads/lead-queue.service.js';
import type { CalledLead } from '../leads/lead-view.js';
import { CallAttemptsRepository, OPEN_LEADS, type EndedAttempt } from './call-attempts.repository.js';
import { CARRIER_REJECTED, CARRIER_UNAVAILABLE, INVALID_NUMBER } from './outbound-calls.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { LeadSelectionService } from './lead-selection.service.js';
import { decideRetry, leadOutcome, type DialOutcome } from './retry-policy.js';

/** The carrier did not take the call, for another reason than its number: the attempt does not count. */
const NOT_TAKEN = new Set([CARRIER_UNAVAILABLE, CARRIER_REJECTED, NEVER_ATTEMPTED]);
/** The person asked not to be called again. */
const STOP_CALLING = 'stop_calling';
const REJECTED_PAUSE_MS = 10 * 60_000;
/** Calls that end at the same time. */
const MAX_BATCH = 50;

type CallEvent = DomainEvent<CallFact>;

/** Dials when a campaign starts or a slot becomes free, and decides about a lead after its call. */
@Injectable()
export class CallOutcomeListener {
  private readonly settled = new BatchLoader<number, Promise<void>>((ids) => this.settleAll(ids), MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadQueueService,
    private readonly attempts: CallAttemptsRepository,
    private readonly selection: LeadSelectionService,
    private readonly dialQueue: DialQueueService,
  ) {}

  @OnDomainEvent(CampaignStarted)
  async campaignStarted({ payload: { campaignId, accountId } }: DomainEvent<CampaignFact>): Promise<void> {
    this.dialQueue.dial({ id: campaignId, accountId });
  }

  @OnDomainEvent(CallEnded)
  async callEnded({ payload }: CallEvent): Promise<void> {
    const attempt = await this.attempts.closeAttempt(payload.callId);
    await this.dialQueue.dialAfterCall(payload.accountId, attempt?.wasPlaced !== false);
  }

  @OnDomainEvent(CallCompleted)
  async callCompleted({ payload }: CallEvent): Promise<void> {
    await this.settled.load(payload.callId);
    // The charge releases what the call held of the balance, for which campaigns may wait.
    await this.dialQueue.dialAfterCall(payload.accountId, true);
  }

  @OnDomainEvent(CallUnanswered)
  async callUnanswered({ payload }: CallEvent): Promise<void> {
    await this.settled.load(payload.callId);
  }

  /**
   * Calls of a campaign that end together share a transaction, each of another lead; other campaigns do not wait for
   * it. When it fails, each call is settled alone.
   */
  private async settleAll(callIds: number[]): Promise<Promise<void>[]> {
    const [only] = callIds;
    if (callIds.length === 1 && only !== undefined) return [this.settleTogether([only])];
    const groups = groupByLead(await this.attempts.openOutcomes(callIds));
    const settled = new Map<number, Promise<void>>();
    for (const ids of groups) {
      const together = this.settleTogether(ids);
      for (const id of ids)
        settled.set(id, ids.length === 1 ? together : together.catch(() => this.settleTogether([id])));
    }
    return callIds.map((id) => settled.get(id) ?? Promise.resolve());
  }

  private settleTogether(callIds: readonly number[]): Promise<void> {
    return this.db.transaction(async (tx) => {
      const leads = await this.leads.lockLeads(tx, OPEN_LEADS, callIds);
      const ended = await this.attempts.recordOutcomes(tx, callIds);
      const campaigns = new Map<number, CampaignView | null>();
      const settled: SettledCall[] = [];
      for (const attempt of ended) {
        const lead = leads.get(attempt.leadId);
        // Skipped when the lead or its campaign was deleted, or was put into the queue and called again meanwhile.
        if (!lead || attempt.isCalledAgain) continue;
        if (!campaigns.has(lead.campaignId))
          campaigns.set(lead.campaignId, await this.campaigns.viewForDialling(tx, lead.campaignId));
        const campaign = campaigns.get(lead.campaignId);
        const call = campaign ? await this.settleLead(tx, { attempt, lead, campaign }) : null;
        if (call) settled.push(call);
      }
      await this.leads.settleCalls(tx, settled);
    });
  }

  /** @returns what is to be written; null: it is */
  private async settleLead(
    tx: EntityManager,
    { attempt, lead, campaign }: EndedLeadCall,
  ): Promise<SettledCall | null> {
    const dialledId = attempt.contactId ?? attempt.leadId;
    const isTaken = !NOT_TAKEN.has(attempt.endedReason ?? '');
    const hasOptedOut = attempt.endedReason === STOP_CALLING;
    const result = toOutcome(attempt);
    const outcome = hasOptedOut ? 'opted_out' : leadOutcome(result, campaign);
    const dialled = { leadId: lead.id, dialledId, phoneNumber: attempt.phoneNumber, outcome };
    // Its owner set another status meanwhile.
    if (lead.status !== 'processing') return isTaken ? { ...dialled, status: lead.status } : null;
    if (hasOptedOut) return { ...dialled, status: 'blacklisted' };
    if (lead.requeueAfterCall) {
      await this.leads.requeue(tx, lead.id, isTaken ? outcome : null);
      return null;
    }
    if (!isTaken) {
      await this.leads.undoClaim(tx, { ...lead, status: attempt.leadStatus ?? 'created' }, dialledId);
      // The same request would be refused again, and hold up the leads behind it.
      if (attempt.endedReason === CARRIER_REJECTED)
        await this.leads.postpone(tx, new Map([[lead.id, REJECTED_PAUSE_MS]]));
      return null;
    }
    // Without numbers that may not be dialled: moving on to one would skip the pause before the next call.
    const whole = attempt.hasContacts ? await this.leads.withContacts(tx, lead) : lead;
    const numbers = await this.selection.dialableNumbers(tx, attempt.accountId, whole, dialledId);
    const isSame = numbers.some(
      ({ id, phoneNumber }) => id === dialledId && phoneNumber === attempt.phoneNumber,
    );
    const decision = decideRetry(result, campaign, {
      attempts: numbers.filter(({ id }) => !whole.invalid.has(id)),
      dialledId: isSame ? dialledId : null,
    });
    return { ...dialled, ...decision };
  }
}

/** By campaign; of the calls of one lead, all but the first are alone. @returns ids of calls */
function groupByLead(calls: readonly { callId: number; leadId: number; campaignId: number }[]): number[][] {
  const groups = new Map<number, number[]>();
  const alone: number[][] = [];
  const seen = new Set<number>();
  for (const { callId, leadId, campaignId } of calls) {
    if (seen.has(leadId)) alone.push([callId]);
    else groups.set(campaignId, [...(groups.get(campaignId) ?? []), callId]);
    seen.add(leadId);
  }
  return [...groups.values(), ...alone];
}

interface EndedLeadCall {
  attempt: EndedAttempt;
  lead: CalledLead;
  campaign: CampaignView;
}

const toOutcome = (call: EndedAttempt): DialOutcome => ({
  status:
    call.status === 'busy' || call.status === 'no-answer' || call.status === 'failed'
      ? call.status
      : 'completed',
  answeredBy: call.answeredBy,
  evaluation: call.evaluationError === null ? call.evaluation : null,
  numberInvalid: call.endedReason === INVALID_NUMBER,
});
