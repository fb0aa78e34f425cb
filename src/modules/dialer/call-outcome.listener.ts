import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { DomainEvent } from '#src/events/event-kind.js';
import { OnEvent } from '#src/events/on-event.decorator.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { NOT_PLACED } from '../calls/call-check.processor.js';
import { CallCompleted, CallEnded, CallUnanswered, type CallFact } from '../calls/call-events.js';
import { CallRecords } from '../calls/call-records.service.js';
import type { CallView } from '../calls/call.view.js';
import { CampaignStarted, type CampaignFact } from '../campaigns/campaign-events.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { LeadsDialling } from '../leads/leads-dialling.service.js';
import { CallAttempts } from './call-attempts.service.js';
import { INVALID_NUMBER } from './call-placer.service.js';
import { decide, type DialOutcome } from './retry-policy.js';

type CallEvent = DomainEvent<CallFact>;

/** What the dialler does when a campaign starts and when its calls end. */
@Injectable()
export class CallOutcomeListener {
  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly calls: CallRecords,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadsDialling,
    private readonly attempts: CallAttempts,
  ) {}

  @OnEvent(CampaignStarted)
  async campaignStarted({ payload: { campaignId, accountId } }: DomainEvent<CampaignFact>): Promise<void> {
    this.queue.wake('campaign-dial', { id: campaignId, accountId });
  }

  @OnEvent(CallEnded)
  async callEnded({ payload }: CallEvent): Promise<void> {
    const attempt = await this.attempts.close(payload.callId);
    if (!attempt?.campaignId) return;
    this.queue.wake('campaign-dial', { id: attempt.campaignId, accountId: attempt.accountId });
  }

  @OnEvent(CallCompleted)
  async callCompleted({ payload }: CallEvent): Promise<void> {
    await this.settle(payload.callId);
  }

  @OnEvent(CallUnanswered)
  async callUnanswered({ payload }: CallEvent): Promise<void> {
    await this.settle(payload.callId);
  }

  private async settle(callId: number): Promise<void> {
    const call = await this.calls.view(callId);
    if (!call?.campaignId || !call.leadId) return;
    await this.db.transaction((tx) => this.decide(tx, call));
    this.queue.wake('campaign-dial', { id: call.campaignId, accountId: call.accountId });
  }

  private async decide(tx: EntityManager, call: CallView): Promise<void> {
    const attempt = await this.attempts.decide(tx, call.id, call.status);
    if (!attempt?.leadId || !attempt.campaignId) return;
    const campaign = await this.campaigns.viewForDialling(tx, attempt.campaignId);
    const lead = await this.leads.lock(tx, attempt.leadId);
    // Deleted meanwhile, or its owner set a status: his word stands.
    if (!campaign || lead?.status !== 'processing') return;
    const numbers = [lead, ...lead.contacts].map(({ id, attempts }) => ({ id, attempts }));
    const dialledId = attempt.contactId ?? attempt.leadId;
    const decision = decide(toOutcome(call), campaign, { attempts: numbers, dialledId });
    await this.leads.settle(tx, lead.id, decision);
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
  neverRang: call.endedReason === NOT_PLACED,
});
