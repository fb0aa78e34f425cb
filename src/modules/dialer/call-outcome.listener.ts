import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { NEVER_ATTEMPTED } from '../calls/call-reconciliation.processor.js';
import { CallCompleted, CallEnded, CallUnanswered, type CallFact } from '../calls/call-events.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { CampaignStarted, type CampaignFact } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import type { CalledLead } from '../leads/lead-view.js';
import { CallAttemptsRepository, type EndedAttempt } from './call-attempts.repository.js';
import { CARRIER_REJECTED, CARRIER_UNAVAILABLE, INVALID_NUMBER } from './outbound-calls.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { LeadSelectionService } from './lead-selection.service.js';
import { decideRetry, leadOutcome, type DialOutcome } from './retry-policy.js';

/** The carrier did not take the call, for another reason than its number: the attempt does not count. */
const NOT_TAKEN = new Set([CARRIER_UNAVAILABLE, CARRIER_REJECTED, NEVER_ATTEMPTED]);
/** The person asked not to be called again. */
const STOP_CALLING = 'stop_calling';
const REJECTED_PAUSE_MS = 10 * 60_000;

type CallEvent = DomainEvent<CallFact>;

/** Dials when a campaign starts or a slot becomes free, and decides about a lead after its call. */
@Injectable()
export class CallOutcomeListener {
  constructor(
    private readonly db: DataSource,
    private readonly calls: CallsRepository,
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
    await this.settle(payload.callId);
    // The charge releases what the call held of the balance, for which campaigns may wait.
    await this.dialQueue.dialAfterCall(payload.accountId, true);
  }

  @OnDomainEvent(CallUnanswered)
  async callUnanswered({ payload }: CallEvent): Promise<void> {
    await this.settle(payload.callId);
  }

  private async settle(callId: number): Promise<void> {
    const call = await this.calls.callView(callId);
    if (!call?.campaignId || !call.leadId) return;
    await this.db.transaction((tx) => this.decide(tx, call));
  }

  private async decide(tx: EntityManager, call: CallView): Promise<void> {
    const attempt = await this.attempts.recordOutcome(tx, call.id, call.status);
    const lead = attempt && (await this.leads.lockLead(tx, attempt.leadId));
    const campaign = lead && (await this.campaigns.viewForDialling(tx, lead.campaignId));
    // Skipped when the lead or its campaign was deleted, or was put into the queue and called again meanwhile.
    if (!campaign || attempt.isCalledAgain) return;
    await this.settleLead(tx, { call, attempt, lead, campaign });
  }

  private async settleLead(
    tx: EntityManager,
    { call, attempt, lead, campaign }: EndedLeadCall,
  ): Promise<void> {
    const dialledId = attempt.contactId ?? attempt.leadId;
    const isTaken = !NOT_TAKEN.has(call.endedReason ?? '');
    const hasOptedOut = call.endedReason === STOP_CALLING;
    const result = toOutcome(call);
    const outcome = hasOptedOut ? 'opted_out' : leadOutcome(result, campaign);
    const dialled = { dialledId, phoneNumber: attempt.phoneNumber, outcome };
    if (lead.status !== 'processing') {
      // Its owner set another status meanwhile.
      if (isTaken) await this.leads.settleCall(tx, lead.id, dialled, { status: lead.status });
    } else if (hasOptedOut) {
      await this.leads.settleCall(tx, lead.id, dialled, { status: 'blacklisted' });
    } else if (lead.requeueAfterCall) {
      await this.leads.requeue(tx, lead.id, isTaken ? outcome : null);
    } else if (!isTaken) {
      await this.leads.undoClaim(tx, { ...lead, status: attempt.leadStatus ?? 'created' }, dialledId);
      // The same request would be refused again, and hold up the leads behind it.
      if (call.endedReason === CARRIER_REJECTED)
        await this.leads.postpone(tx, new Map([[lead.id, REJECTED_PAUSE_MS]]));
    } else {
      // Without numbers that may not be dialled: moving on to one would skip the pause before the next call.
      const numbers = await this.selection.dialableNumbers(tx, call.accountId, lead, dialledId);
      const isSame = numbers.some(
        ({ id, phoneNumber }) => id === dialledId && phoneNumber === attempt.phoneNumber,
      );
      const decision = decideRetry(result, campaign, {
        attempts: numbers.filter(({ id }) => !lead.invalid.has(id)),
        dialledId: isSame ? dialledId : null,
      });
      await this.leads.settleCall(tx, lead.id, dialled, decision);
    }
  }
}

interface EndedLeadCall {
  call: CallView;
  attempt: EndedAttempt;
  lead: CalledLead;
  campaign: CampaignView;
}

const toOutcome = (call: CallView): DialOutcome => ({
  status:
    call.status === 'busy' || call.status === 'no-answer' || call.status === 'failed'
      ? call.status
      : 'completed',
  answeredBy: call.answeredBy,
  evaluation: call.evaluationError === null ? call.evaluation : null,
  numberInvalid: call.endedReason === INVALID_NUMBER,
});
