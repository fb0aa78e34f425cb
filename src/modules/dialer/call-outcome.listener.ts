import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { NEVER_ATTEMPTED } from '../calls/call-reconciliation.processor.js';
import { CallCompleted, CallEnded, CallUnanswered } from '../calls/call-events.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { CampaignStarted } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { INVALID_NUMBER } from './outbound-calls.service.js';
import { decideRetry, type DialOutcome } from './retry-policy.js';

type CallFact = DomainEvent<{ callId: number }>;

/** What the dialler does when a campaign starts and when its calls end. */
@Injectable()
export class CallOutcomeListener {
  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly calls: CallsRepository,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadQueueService,
    private readonly attempts: CallAttemptsRepository,
  ) {}

  @OnDomainEvent(CampaignStarted)
  async campaignStarted({ payload }: DomainEvent<{ campaignId: number }>): Promise<void> {
    this.queue.enqueue('campaign-dial', payload.campaignId);
  }

  @OnDomainEvent(CallEnded)
  async callEnded({ payload }: CallFact): Promise<void> {
    const attempt = await this.attempts.closeAttempt(payload.callId);
    if (attempt?.campaignId) this.queue.enqueue('campaign-dial', attempt.campaignId);
  }

  @OnDomainEvent(CallCompleted)
  async callCompleted({ payload }: CallFact): Promise<void> {
    await this.settle(payload.callId);
  }

  @OnDomainEvent(CallUnanswered)
  async callUnanswered({ payload }: CallFact): Promise<void> {
    await this.settle(payload.callId);
  }

  private async settle(callId: number): Promise<void> {
    const call = await this.calls.callView(callId);
    if (!call?.campaignId || !call.leadId) return;
    await this.db.transaction((tx) => this.decide(tx, call));
    this.queue.enqueue('campaign-dial', call.campaignId);
  }

  private async decide(tx: EntityManager, call: CallView): Promise<void> {
    const attempt = await this.attempts.recordOutcome(tx, call.id, call.status);
    if (!attempt?.leadId || !attempt.campaignId) return;
    const campaign = await this.campaigns.viewForDialling(tx, attempt.campaignId);
    const lead = await this.leads.lockLead(tx, attempt.leadId);
    // Deleted meanwhile, or its owner set a status: his word stands.
    if (!campaign || lead?.status !== 'processing') return;
    const numbers = [lead, ...lead.contacts].map(({ id, attempts }) => ({ id, attempts }));
    const dialledId = attempt.contactId ?? attempt.leadId;
    const decision = decideRetry(toOutcome(call), campaign, { attempts: numbers, dialledId });
    const dueAt = decision.status === 'rescheduled' ? new Date(Date.now() + decision.inMs) : undefined;
    await this.leads.settleLead(tx, lead.id, { status: decision.status, dueAt });
  }
}

const toOutcome = (call: CallView): DialOutcome => ({
  status:
    call.status === 'busy' || call.status === 'no-answer' || call.status === 'failed'
      ? call.status
      : 'completed',
  answeredBy: call.answeredBy,
  evaluation: call.evaluation,
  numberInvalid: call.endedReason === INVALID_NUMBER,
  neverAttempted: call.endedReason === NEVER_ATTEMPTED,
});
