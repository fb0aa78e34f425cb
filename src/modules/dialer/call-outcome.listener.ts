import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import {
  SkipLockedBatchLoader,
  type LockedRowPolicy,
} from '#src/common/persistence/skip-locked-batch-loader.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { NOT_PLACED_REASON } from '#src/modules/calls/states/call-reconciliation.processor.js';
import {
  CallCompleted,
  CallEnded,
  CallUnanswered,
  type CallEndedPayload,
  type CallEventPayload,
} from '../calls/call-events.js';
import { CampaignStarted, type CampaignEventPayload } from '../campaigns/campaign.types.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadQueueService, type LeadCallOutcome } from '../leads/lead-queue.service.js';
import type { CalledLead } from '../leads/lead-view.js';
import {
  CallAttemptsRepository,
  type EndedAttempt,
  type PendingOutcome,
} from './call-attempts.repository.js';
import { CARRIER_REJECTED, CARRIER_UNAVAILABLE, INVALID_NUMBER } from './outbound-calls.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { LeadSelectionService } from './lead-selection.service.js';
import { decideRetry, toLeadOutcome, type DialOutcome } from './retry-policy.js';

/** The carrier did not take the call, for another reason than its number: the attempt does not count. */
const NOT_ACCEPTED_REASONS = new Set([CARRIER_UNAVAILABLE, CARRIER_REJECTED, NOT_PLACED_REASON]);
/** The person refused further calls. */
const STOP_CALLING_REASON = 'stop_calling';
const REJECTED_PAUSE_MS = 10 * 60_000;
/** Calls that end at the same time. */
const MAX_BATCH = 100;

type CallEvent = DomainEvent<CallEventPayload>;

/** Dials when a campaign starts or a slot becomes free, and decides about a lead after its call. */
@Injectable()
export class CallOutcomeListener {
  private readonly pendingOutcomes = new BatchLoader<CallEventPayload, PendingOutcome | undefined>(
    (calls) => this.findPendingOutcomes(calls),
    MAX_BATCH,
  );
  private readonly settlements = new SkipLockedBatchLoader<LeadCall, void>(
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
  async onCampaignStarted({
    payload: { campaignId, accountId },
  }: DomainEvent<CampaignEventPayload>): Promise<void> {
    this.dialQueue.enqueueDial({ id: campaignId, accountId });
  }

  @OnDomainEvent(CallEnded)
  async onCallEnded({ payload }: DomainEvent<CallEndedPayload>): Promise<void> {
    await this.dialQueue.dialAfterCall(payload.accountId, payload.wasPlaced !== false);
  }

  @OnDomainEvent(CallCompleted)
  async onCallCompleted({ payload }: CallEvent): Promise<void> {
    const call = await this.settleCall(payload);
    // The charge releases the call's hold, for which campaigns may wait.
    if (call?.isAwaited) await this.dialQueue.dialAfterCall(payload.accountId, true);
  }

  @OnDomainEvent(CallUnanswered)
  async onCallUnanswered({ payload }: CallEvent): Promise<void> {
    await this.settleCall(payload);
  }

  /** Most calls that end leave nothing to do: one statement checks all that end together. */
  private async settleCall(ended: CallEventPayload): Promise<PendingOutcome | undefined> {
    const call = await this.pendingOutcomes.load(ended);
    if (call && isLeadCall(call)) await this.settlements.load(call);
    return call;
  }

  private async findPendingOutcomes(
    calls: readonly CallEventPayload[],
  ): Promise<(PendingOutcome | undefined)[]> {
    const pendingOutcomes = new Map(
      (await this.attempts.findPendingOutcomes(calls)).map((call) => [call.callId, call]),
    );
    return calls.map(({ callId }) => pendingOutcomes.get(callId));
  }

  /** One call of each lead: of several, the others are left out, as are those of leads that are skipped. */
  private async settleCalls(
    calls: readonly LeadCall[],
    whenLocked: LockedRowPolicy,
  ): Promise<Map<LeadCall, void>> {
    const callsByLead = new Map(calls.map((call) => [call.leadId, call]));
    return this.db.transaction(async (tx) => {
      const leads = await this.leads.lockLeads(tx, [...callsByLead.keys()], whenLocked);
      const lockedCalls = [...callsByLead.values()].filter(
        ({ leadId }) => whenLocked === 'wait' || leads.has(leadId),
      );
      await this.decideLeads(
        tx,
        leads,
        lockedCalls.map(({ callId }) => callId),
      );
      return new Map(lockedCalls.map((call) => [call, undefined]));
    });
  }

  private async decideLeads(
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
    const settled: LeadCallOutcome[] = [];
    for (const { attempt, lead } of called) {
      const campaign = campaigns.get(lead.campaignId);
      const call = campaign ? await this.decideLead(tx, { attempt, lead, campaign }) : null;
      if (call) settled.push(call);
    }
    await this.leads.recordOutcomes(tx, settled);
  }

  /** @returns the outcome to record; null: it is recorded */
  private async decideLead(
    tx: EntityManager,
    { attempt, lead, campaign }: LeadAfterCall,
  ): Promise<LeadCallOutcome | null> {
    const dialledId = attempt.contactId ?? attempt.leadId;
    const wasAccepted = !NOT_ACCEPTED_REASONS.has(attempt.endedReason ?? '');
    const hasOptedOut = attempt.endedReason === STOP_CALLING_REASON;
    const result = toDialOutcome(attempt);
    const outcome = hasOptedOut ? 'opted_out' : toLeadOutcome(result, campaign);
    const dialled = { leadId: lead.id, dialledId, phoneNumber: attempt.phoneNumber, outcome };
    // Its owner set another status meanwhile.
    if (lead.status !== 'processing') return wasAccepted ? { ...dialled, status: lead.status } : null;
    if (hasOptedOut) return { ...dialled, status: 'blacklisted' };
    if (lead.requeueAfterCall) {
      await this.leads.requeueLead(tx, lead.id, wasAccepted ? outcome : null);
      return null;
    }
    if (!wasAccepted) {
      const before = { ...lead, status: attempt.leadStatus ?? 'created' };
      // The same request would be refused again, and hold up the leads behind it.
      const pauseMs = attempt.endedReason === CARRIER_REJECTED ? REJECTED_PAUSE_MS : null;
      await this.leads.releaseClaim(tx, before, dialledId, pauseMs);
      return null;
    }
    // Without numbers that may not be dialled: moving on to one would skip the pause before the next call.
    const withContacts = attempt.hasContacts ? await this.leads.loadContacts(tx, lead) : lead;
    const numbers = await this.selection.findDialableNumbers(tx, attempt.accountId, withContacts, dialledId);
    const isSame = numbers.some(
      ({ id, phoneNumber }) => id === dialledId && phoneNumber === attempt.phoneNumber,
    );
    const decision = decideRetry(result, campaign, {
      attempts: numbers.filter(({ id }) => !withContacts.invalid.has(id)),
      dialledId: isSame ? dialledId : null,
    });
    return { ...dialled, ...decision };
  }
}

type LeadCall = PendingOutcome & { leadId: number };

const isLeadCall = (call: PendingOutcome): call is LeadCall => call.leadId !== null;

interface LeadAfterCall {
  attempt: EndedAttempt;
  lead: CalledLead;
  campaign: CampaignView;
}

const toDialOutcome = (call: EndedAttempt): DialOutcome => ({
  status:
    call.status === 'busy' || call.status === 'no-answer' || call.status === 'failed'
      ? call.status
      : 'completed',
  answeredBy: call.answeredBy,
  evaluation: call.evaluationError === null ? call.evaluation : null,
  numberInvalid: call.endedReason === INVALID_NUMBER,
});
