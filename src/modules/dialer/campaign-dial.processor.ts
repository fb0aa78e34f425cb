import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import {
  SkipLockedBatchLoader,
  type LockedRowPolicy,
} from '#src/common/persistence/skip-locked-batch-loader.js';
import { DrainService } from '#src/health/drain.service.js';
import { JobProcessor, type JobResult, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { CarrierRateService } from '../telephony/carrier-rate.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { type OpenedCall, OutboundCallsService } from './outbound-calls.service.js';
import { CampaignDialerService } from './campaign-dialer.service.js';
import type { DialStep } from './ready-campaigns.service.js';

/** Transactions per run; after these the campaign is enqueued again, behind the others. */
const MAX_ROUNDS = 10;
/** Campaigns that share a transaction, each of another account. */
const MAX_BATCH = 50;
/** Transactions that wait for an account or a campaign that somebody else has locked. */
const MAX_WAITING = 4;

/**
 * Fills campaigns' free slots; the row is a campaign. Campaigns that are due at the same time share transactions, which
 * wait for no lock: those that somebody has locked have their turn alone, and hold up no other. Concurrent runs are
 * safe: a lock guards the slots.
 */
@JobProcessor('campaign-dial')
export class CampaignDialProcessor implements RowProcessor, BeforeApplicationShutdown {
  /** Requests to the carrier that outlive their run, so that a slow carrier does not block other campaigns. */
  private readonly placing = new Set<Promise<void>>();
  private readonly rounds = new SkipLockedBatchLoader<number, DialStep>(
    (ids, whenLocked) => this.runRound(ids, whenLocked),
    { maxSize: MAX_BATCH, maxWaiting: MAX_WAITING },
  );
  private stopping = false;
  private timer: { at: number; handle: NodeJS.Timeout } | null = null;
  private readonly logger = new Logger(CampaignDialProcessor.name);

  constructor(
    private readonly queue: DialQueueService,
    private readonly dialer: CampaignDialerService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly breaker: CarrierBreakerService,
    private readonly rate: CarrierRateService,
    private readonly drain: DrainService,
    private readonly campaigns: CampaignDiallingService,
  ) {}

  async findDueRows(limit: number): Promise<JobRow[]> {
    const waitMs = (await this.breaker.waitMs()) || (await this.rate.waitMs());
    if (waitMs === 0) return this.campaigns.findDue(limit);
    this.scheduleCheck(waitMs);
    return [];
  }

  async process(rowId: string): Promise<JobResult> {
    const result = await this.fillSlots(Number(rowId));
    // Calls are placed after the run has returned.
    if (this.stopping) await Promise.all(this.placing);
    return result;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer?.handle);
    await Promise.all(this.placing);
  }

  private async fillSlots(campaignId: number): Promise<JobResult> {
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      // The campaign stays due, for another process or the next start.
      if (this.drain.draining) return 'done';
      const next = await this.rounds.load(campaignId);
      if (next !== 'again') return 'done';
    }
    return 'again';
  }

  /** Places the calls that a transaction opens. @returns the next steps of all campaigns that it has not left out */
  private async runRound(
    ids: readonly number[],
    whenLocked: LockedRowPolicy,
  ): Promise<Map<number, DialStep>> {
    const { calls, next, waiting } = await this.dialer.dialNext(ids, whenLocked);
    for (const call of calls) this.startCall(call);
    await Promise.all(waiting.map((accountId) => this.queue.dialWaitingCampaign(accountId)));
    if ([...next.values()].includes('later')) this.scheduleCheck(await this.rate.waitMs());
    return next;
  }

  /** When the carrier's rate allows a call again, or a probe is due, the campaign whose turn it is gets it. */
  private scheduleCheck(ms: number): void {
    const at = performance.now() + ms;
    if (this.stopping || (this.timer && this.timer.at <= at)) return;
    clearTimeout(this.timer?.handle);
    const handle = setTimeout(() => {
      this.timer = null;
      void this.checkDue().catch((error: unknown) =>
        this.logger.debug(`Left to the next look-up of due rows: ${describeError(error)}`),
      );
    }, ms);
    this.timer = { at, handle };
  }

  private async checkDue(): Promise<void> {
    for (const row of await this.findDueRows(1)) this.queue.enqueueDial(row);
  }

  private startCall({ id, request }: OpenedCall): void {
    const placing = this.outboundCalls.placeCall(id, request).finally(() => this.placing.delete(placing));
    this.placing.add(placing);
  }
}
