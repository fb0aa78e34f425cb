import { Logger } from '@nestjs/common';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { JobProcessor, type RowProcessor, type JobRow } from '#src/queue/job-queue.js';
import { type CarrierCall, CarrierCalls } from '#src/modules/telephony/carrier-calls.js';
import { CarrierError } from '#src/modules/telephony/carrier-error.js';
import { CarrierGatewayService } from '#src/modules/telephony/carrier-gateway.service.js';
import { CallReconciliationRepository } from './call-reconciliation.repository.js';
import { CallStateService, VOICEMAIL } from './call-state.service.js';
import type { Call } from '../entities/call.entity.js';
import { UnplacedCallsService } from './unplaced-calls.service.js';
import { WebCallStateService } from './web-call-state.service.js';
import { CarrierPriceReconciliationService } from '../wrap-up/carrier-price-reconciliation.service.js';

const AGAIN_MS = 20_000;
/** A call that exceeds its limit by this much is ended by the service. */
const GRACE_MS = 60_000;
/** How long the carrier may not yet find a call that it accepted. */
const KNOWN_MS = 15_000;

/** A call is hung up so much too early rather than one round too late: this clock is not the database's. */
const EARLY_MS = 2_000;

/** End reason of a call that the carrier does not know: it was never placed. */
export const NEVER_ATTEMPTED = 'not_placed';

/** Asks the carrier for the state of calls whose callbacks did not arrive. */
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
    return this.reconciliation.due(limit);
  }

  async process(rowId: string): Promise<void> {
    const call = await this.reconciliation.claimForCheck(Number(rowId));
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
    // Whoever holds its line would have put this off.
    if (call.type === 'web') return this.webCalls.closeLine(call.id, null, { lost: true });
    const known = call.carrierSid
      ? await this.carrier.fetchCall(call.carrierSid)
      : await this.unplaced.find(call);
    if (known) return this.follow(call, known);
    const [allowedMs, reason] = call.carrierSid
      ? [KNOWN_MS, 'carrier_lost']
      : [this.unplaced.placingMs, NEVER_ATTEMPTED];
    if (Date.now() - call.createdAt.getTime() > allowedMs) return this.callState.markFailed(call.id, reason);
    await this.reconciliation.checkAgain(call.id, AGAIN_MS);
  }

  private async follow(call: Call, known: CarrierCall): Promise<void> {
    const { sid, status, answeredBy, durationSeconds } = known;
    // Changes nothing unless the carrier's own report, or the process that got it, was lost.
    await this.gateway.calls.applyReport({
      token: call.token,
      sid,
      status,
      answeredBy,
      durationSeconds: durationSeconds ?? undefined,
    });
    await this.reconciliation.checkAgain(call.id, AGAIN_MS);
    const overdue =
      Date.now() - (call.answeredAt ?? call.createdAt).getTime() - call.maxDuration * 1000 - GRACE_MS;
    if (!isOver(status) && (overdue > 0 || (await this.isToHangUp(call)))) {
      await this.callState.markEnded(call.id, 'system', call.hangUpAt ? VOICEMAIL : 'max_duration');
      await this.carrier.endCall(sid);
    }
  }

  /** The service has ended it, or a machine answered it and its time is over. */
  private async isToHangUp({ endedBy, hangUpAt, token }: Call): Promise<boolean> {
    if (hangUpAt === null) return endedBy !== null;
    if (hangUpAt.getTime() - Date.now() >= EARLY_MS) return false;
    return endedBy !== null || this.gateway.calls.shouldHangUp(token);
  }
}

const isOver = (status: CarrierCall['status']): boolean =>
  !['queued', 'ringing', 'in-progress'].includes(status);
