import { Logger } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { JobProcessor, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { Carrier, type CarrierCall, CarrierError } from '../telephony/carrier.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';
import { CallStateService } from './call-state.service.js';
import type { Call } from './entities/call.entity.js';
import { CarrierPriceReconciliationService } from './wrap-up/carrier-price-reconciliation.service.js';

const AGAIN_MS = 20_000;
/** A call that outlives its limit by this much is ended by us. */
const GRACE_MS = 60_000;
/** How long a call that the carrier took may not be found there; listings lag behind. */
const KNOWN_MS = 15_000;
/** Clocks of carrier and service may differ by this much. */
const CLOCK_SKEW_MS = 30_000;

/** The carrier was asked for a call and knows nothing of it: nobody's telephone rang. */
export const NEVER_ATTEMPTED = 'not_placed';

/** The watchdog: asks the carrier about calls that do not report by themselves. */
@JobProcessor('call-check')
export class CallReconciliationProcessor implements RowProcessor {
  private readonly logger = new Logger(CallReconciliationProcessor.name);
  /** A request without an answer that is not in the carrier's list after the ring time-out was not taken. */
  private readonly placingMs: number;

  constructor(
    private readonly checks: CallReconciliationRepository,
    private readonly progress: CallStateService,
    private readonly prices: CarrierPriceReconciliationService,
    private readonly carrier: Carrier,
    settings: RuntimeSettings,
  ) {
    this.placingMs = settings.calls.ringTimeoutSeconds * 1000;
  }

  due(limit: number): Promise<JobRow[]> {
    return this.checks.due(limit);
  }

  async process(rowId: string): Promise<void> {
    const call = await this.checks.claimForCheck(Number(rowId));
    if (!call) return;
    addToLogContext({ callId: call.id });
    try {
      if (call.priceCheckAt !== null) await this.prices.reconcilePrice(call);
      if (call.endedAt === null) await this.check(call);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`The carrier could not be asked about call ${call.id}; asking again`);
    }
  }

  private async check(call: Call): Promise<void> {
    const known = call.carrierSid ? await this.carrier.fetchCall(call.carrierSid) : await this.search(call);
    if (known) return this.follow(call, known);
    const [patienceMs, reason] = call.carrierSid
      ? [KNOWN_MS, 'carrier_lost']
      : [this.placingMs, NEVER_ATTEMPTED];
    if (Date.now() - call.createdAt.getTime() > patienceMs) return this.progress.markFailed(call.id, reason);
    await this.checks.checkAgain(call.id, AGAIN_MS);
  }

  private async follow(call: Call, known: CarrierCall): Promise<void> {
    const { sid, status, answeredBy, durationSeconds } = known;
    await this.progress.applyReport(call.id, {
      sid,
      status,
      answeredBy,
      durationSeconds: durationSeconds ?? undefined,
    });
    await this.checks.checkAgain(call.id, AGAIN_MS);
    const overdue =
      Date.now() - (call.answeredAt ?? call.createdAt).getTime() - call.maxDuration * 1000 - GRACE_MS;
    const concluded = call.endedBy !== null;
    if ((overdue > 0 || concluded) && !isOver(status)) {
      await this.progress.markEnded(call.id, 'system', 'max_duration');
      await this.carrier.endCall(sid);
    }
  }

  /** The request to place the call got no answer: the carrier's list tells whether it was taken. */
  private async search(call: Call): Promise<CarrierCall | null> {
    const since = new Date(call.createdAt.getTime() - CLOCK_SKEW_MS);
    const listed = await this.carrier.listCalls(call.clientPhoneNumber, since);
    const candidates = listed.filter(({ from }) => from === call.assistantPhoneNumber);
    const taken = await this.checks.knownSids(candidates.map(({ sid }) => sid));
    const free = candidates.filter(({ sid }) => !taken.has(sid)).sort((a, b) => +a.createdAt - +b.createdAt);
    return free[0] && (await this.checks.isOldestUnplaced(call)) ? free[0] : null;
  }
}

const isOver = (status: CarrierCall['status']): boolean =>
  !['queued', 'ringing', 'in-progress'].includes(status);
