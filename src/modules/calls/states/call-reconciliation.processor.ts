import { Logger } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { JobProcessor, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { type CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CarrierError } from '#src/modules/telephony/carrier-error.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';
import { CallStateService, VOICEMAIL_REASON } from './call-state.service.js';
import type { Call } from '../entities/call.entity.js';
import { UnplacedCallsService } from './unplaced-calls.service.js';
import { WebCallStateService } from './web-call-state.service.js';
import { CarrierPriceReconciliationService } from '../wrap-up/carrier-price-reconciliation.service.js';

const CHECK_INTERVAL_MS = 20_000;
/** A call that exceeds its limit by this much is ended by the service. */
const GRACE_MS = 60_000;
/** Maximum delay before the carrier finds a call that it accepted. */
const LISTING_DELAY_MS = 15_000;

/** Hang up this much early rather than one interval late: this clock is not the database's. */
const HANG_UP_TOLERANCE_MS = 2_000;

/** End reason of a call that was never placed. */
export const NOT_PLACED_REASON = 'not_placed';

/** Requests the state of calls without callbacks from the carrier. */
@JobProcessor('call-check')
export class CallReconciliationProcessor implements RowProcessor {
  private readonly logger = new Logger(CallReconciliationProcessor.name);

  constructor(
    private readonly reconciliation: CallReconciliationRepository,
    private readonly callState: CallStateService,
    private readonly webCalls: WebCallStateService,
    private readonly prices: CarrierPriceReconciliationService,
    private readonly carrier: CarrierCalls,
    private readonly gateway: CarrierGatewayService,
    private readonly unplaced: UnplacedCallsService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.reconciliation.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const call = await this.reconciliation.claimForCheck(Number(rowId));
    if (!call) return;
    addToLogContext({ callId: call.id });
    try {
      if (call.priceCheckAt !== null) await this.prices.reconcilePrice(call);
      if (call.endedAt === null) await this.checkCall(call);
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error;
      this.logger.warn(`The carrier could not report the state of call ${call.id}; trying again`);
    }
  }

  /** Whether it is due or not. @throws CarrierError */
  async checkCall(call: Call): Promise<void> {
    // The process of its line would have postponed this check.
    if (call.type === 'web') return this.webCalls.closeLine(call.id, null, { lost: true });
    const known = call.carrierSid
      ? await this.carrier.fetchCall(call.carrierSid)
      : await this.unplaced.findAtCarrier(call);
    if (known) return this.applyCarrierState(call, known);
    const [allowedMs, reason] = call.carrierSid
      ? [LISTING_DELAY_MS, 'carrier_lost']
      : [this.unplaced.maxPlacingMs, NOT_PLACED_REASON];
    if (Date.now() - call.createdAt.getTime() > allowedMs) return this.callState.markFailed(call.id, reason);
    await this.reconciliation.scheduleCheck(call.id, CHECK_INTERVAL_MS);
  }

  private async applyCarrierState(call: Call, known: CarrierCall): Promise<void> {
    const { sid, status, answeredBy, durationSeconds } = known;
    // No change, unless the carrier's report or its processing was lost.
    await this.gateway.calls.applyReport({
      token: call.token,
      sid,
      status,
      answeredBy,
      durationSeconds: durationSeconds ?? undefined,
    });
    await this.reconciliation.scheduleCheck(call.id, CHECK_INTERVAL_MS);
    const overdue =
      Date.now() - (call.answeredAt ?? call.createdAt).getTime() - call.maxDuration * 1000 - GRACE_MS;
    if (!hasEnded(status) && (overdue > 0 || (await this.shouldHangUp(call)))) {
      await this.callState.markEnded(call.id, 'system', call.hangUpAt ? VOICEMAIL_REASON : 'max_duration');
      await this.carrier.endCall(sid);
    }
  }

  /** Whether the service has ended it, or the timeout of a call with a machine has expired. */
  private async shouldHangUp({ endedBy, hangUpAt, token }: Call): Promise<boolean> {
    if (hangUpAt === null) return endedBy !== null;
    if (hangUpAt.getTime() - Date.now() >= HANG_UP_TOLERANCE_MS) return false;
    return endedBy !== null || this.gateway.calls.shouldHangUp(token);
  }
}

const hasEnded = (status: CarrierCall['status']): boolean =>
  !['queued', 'ringing', 'in-progress'].includes(status);
