import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { LockSkippingBatches, type LockedRowPolicy } from '#src/common/persistence/lock-skipping-batches.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { NEVER_ATTEMPTED } from '#src/modules/calls/states/call-reconciliation.processor.js';
import {
  CallCompleted,
  CallEnded,
  CallUnanswered,
  type CallEnd,
  type CallFact,
} from '../calls/call-events.js';
import { CampaignStarted, type CampaignFact } from '../campaigns/campaign.types.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadQueueService, type SettledCall } from '../leads/lead-queue.service.js';
import type { CalledLead } from '../leads/lead-view.js';
import { CallAttemptsRepository, type EndedAttempt, type OpenOutcome } from './call-attempts.repository.js';
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
const MAX_BATCH = 100;

type CallEvent = DomainEvent<CallFact>;

/** Dials when a campaign starts or a slot becomes free, and decides about a lead after its call. */
@Injectable()
export class CallOutcomeListener {
  private readonly open = new BatchLoader<CallFact, OpenOutcome | undefined>(
    (calls) => this.openOutcomes(calls),
    MAX_BATCH,
  );
  private readonly settling = new LockSkippingBatches<LeadCall, void>(
    (calls, whenLocked) => this.settleCalls(calls, whenLocked),
    { maxSize: MAX_BATCH },
  );

  constructor(
    private readonly db: DataSource,
    private readonly campaigns: CampaignDiallingService,
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
  async callEnded({ payload }: DomainEvent<CallEnd>): Promise<void> {
    await this.dialQueue.dialAfterCall(payload.accountId, payload.wasPlaced !== false);
  }

  @OnDomainEvent(CallCompleted)
  async callCompleted({ payload }: CallEvent): Promise<void> {
    const call = await this.settleCall(payload);
    // The charge releases what the call held of the balance, for which campaigns may wait.
    if (call?.isAwaited) await this.dialQueue.dialAfterCall(payload.accountId, true);
  }

  @OnDomainEvent(CallUnanswered)
  async callUnanswered({ payload }: CallEvent): Promise<void> {
    await this.settleCall(payload);
  }

  /** Most calls that end leave nothing to do, which one statement tells of all that end together. */
  private async settleCall(ended: CallFact): Promise<OpenOutcome | undefined> {
    const call = await this.open.load(ended);
    if (call && isOfLead(call)) await this.settling.load(call);
    return call;
  }

  private async openOutcomes(calls: readonly CallFact[]): Promise<(OpenOutcome | undefined)[]> {
    const open = new Map((await this.attempts.openOutcomes(calls)).map((call) => [call.callId, call]));
    return calls.map(({ callId }) => open.get(callId));
  }

  /** One call of each lead: of several, the others are left out, as are those of leads that are skipped. */
  private async settleCalls(
    calls: readonly LeadCall[],
    whenLocked: LockedRowPolicy,
  ): Promise<Map<LeadCall, void>> {
    const ofLeads = new Map(calls.map((call) => [call.leadId, call]));
    return this.db.transaction(async (tx) => {
      const leads = await this.leads.lockLeads(tx, [...ofLeads.keys()], whenLocked);
      const own = [...ofLeads.values()].filter(({ leadId }) => whenLocked === 'wait' || leads.has(leadId));
      await this.settle(
        tx,
        leads,
        own.map(({ callId }) => callId),
      );
      return new Map(own.map((call) => [call, undefined]));
    });
  }

  private async settle(
    tx: EntityManager,
    leads: ReadonlyMap<number, CalledLead>,
    callIds: readonly number[],
  ): Promise<void> {
    const ended = await this.attempts.recordOutcomes(tx, callIds);
    // Left out when the lead was deleted, or was put into the queue and called again meanwhile.
    const called = ended.flatMap((attempt) => {
      const lead = leads.get(attempt.leadId);
      return lead && !attempt.isCalledAgain ? [{ attempt, lead }] : [];
    });
    const campaigns = await this.campaigns.findViews(
      tx,
      called.map(({ lead }) => lead.campaignId),
    );
    const settled: SettledCall[] = [];
    for (const { attempt, lead } of called) {
      const campaign = campaigns.get(lead.campaignId);
      const call = campaign ? await this.settleLead(tx, { attempt, lead, campaign }) : null;
      if (call) settled.push(call);
    }
    await this.leads.settleCalls(tx, settled);
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
      const before = { ...lead, status: attempt.leadStatus ?? 'created' };
      // The same request would be refused again, and hold up the leads behind it.
      const pauseMs = attempt.endedReason === CARRIER_REJECTED ? REJECTED_PAUSE_MS : null;
      await this.leads.undoClaim(tx, before, dialledId, pauseMs);
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

type LeadCall = OpenOutcome & { leadId: number };

const isOfLead = (call: OpenOutcome): call is LeadCall => call.leadId !== null;

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
