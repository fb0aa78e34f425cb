import type { BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DrainService } from '#src/health/drain.service.js';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { QUEUED_STATUSES } from '../leads/lead.types.js';
import { type OpenedCall, OutboundCallsService } from './outbound-calls.service.js';
import { CampaignDialerService } from './campaign-dialer.service.js';

/** Transactions per run; after these the campaign is enqueued again, behind the others. */
const STEPS = 10;

/**
 * Campaigns in progress that have something to do: a due lead, a free slot and an account whose calls do not hold its
 * whole balance, or no open lead left. Round robin by account. Each look-up of leads is one step in the index `leads_open`.
 */
const DUE = `
  SELECT id, account_id AS "accountId" FROM (
    SELECT campaign.id, campaign.account_id,
           row_number() OVER (PARTITION BY campaign.account_id ORDER BY random()) AS turn
      FROM campaigns campaign JOIN accounts account ON account.id = campaign.account_id
     WHERE campaign.status = 'in-progress' AND campaign.deleted_at IS NULL AND (account.balance_micros > account.held_micros OR account.held_micros = 0)
       AND (EXISTS (SELECT 1 FROM leads lead WHERE lead.campaign_id = campaign.id AND lead.main_lead_id IS NULL
                       AND lead.status = ANY($2) AND lead.due_at <= now())
            OR (campaign.mark_complete_when_no_leads AND NOT EXISTS (
                  SELECT 1 FROM leads lead WHERE lead.campaign_id = campaign.id AND lead.main_lead_id IS NULL
                     AND lead.status IN ('created', 'scheduled', 'rescheduled', 'processing'))))
       AND campaign.max_calls_in_parallel > (
             SELECT count(*) FROM call_attempts attempt
              WHERE attempt.account_id = campaign.account_id AND attempt.campaign_id = campaign.id
                AND attempt.state <> 'closed' AND attempt.slot_until > now())) due
   ORDER BY turn, random() LIMIT $1`;

/** Fills a campaign's free slots; the row is the campaign. Concurrent runs are safe: a lock guards the slots. */
@JobProcessor('campaign-dial')
export class CampaignDialProcessor implements RowProcessor, BeforeApplicationShutdown {
  /** Requests to the carrier that outlive their run, so that a slow carrier does not block other campaigns. */
  private readonly placing = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly db: DataSource,
    private readonly dialer: CampaignDialerService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly breaker: CarrierBreakerService,
    private readonly drain: DrainService,
  ) {}

  async due(limit: number): Promise<JobRow[]> {
    return (await this.breaker.refusesCalls()) ? [] : this.db.query(DUE, [limit, QUEUED_STATUSES]);
  }

  async process(rowId: string): Promise<JobResult> {
    const result = await this.fill(Number(rowId));
    // Calls are placed after the run has returned.
    if (this.stopping) await Promise.all(this.placing);
    return result;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.placing);
  }

  private async fill(campaignId: number): Promise<JobResult> {
    for (let steps = 0; steps < STEPS; steps++) {
      // The campaign stays due, for another process or the next start.
      if (this.drain.draining) return 'done';
      const step = await this.dialer.next(campaignId);
      if (step === 'idle') return 'done';
      if (step !== 'skipped') this.place(step);
    }
    return 'again';
  }

  private place({ id, request }: OpenedCall): void {
    const placing = this.outboundCalls.placeCall(id, request).finally(() => this.placing.delete(placing));
    this.placing.add(placing);
  }
}
