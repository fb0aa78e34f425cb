import { Logger, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { addToLogContext } from '#src/common/logging/log-context.js';
import { JobProcessor, type RowProcessor, JobQueue, type JobRow } from '#src/queue/job-queue.js';
import { CallChargesService } from './call-charges.service.js';
import { TranscriptRepository, toTranscript } from './transcript.repository.js';
import {
  type EndedCall,
  type Evaluation,
  WrapUpRepository,
  WRAP_UP_LEASE_RENEWAL_MS,
} from './wrap-up.repository.js';
import type { CallView, CallTurnView } from '../call.view.js';
import { CallEvaluationService } from './call-evaluation.service.js';
import { type CarrierCallRecord, CarrierRecordsService } from './carrier-records.service.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { CallEnded, type CallEndedPayload } from '../call-events.js';

/** Requests for the carrier's price, which is available some time after the end; then the call completes without it. */
const MAX_PRICE_ATTEMPTS = 4;
const PRICE_PAUSE_MS = 400;
const LATE_PRICE_MS = 60_000;
/** Waits for the conversation's process to store its last turns; it may have terminated. */
const RECORD_PAUSES_MS = [300, 1_200, 4_800];
const MAX_EVALUATION_ATTEMPTS = 5;
const EVALUATION_PAUSE_MS = 5_000;

/** Makes the record of an answered call final: transcript, evaluation, recording, cost and charge. */
@JobProcessor('call-wrap-up')
export class WrapUpProcessor implements RowProcessor {
  private readonly logger = new Logger(WrapUpProcessor.name);

  constructor(
    private readonly db: DataSource,
    private readonly queue: JobQueue,
    private readonly rows: WrapUpRepository,
    private readonly transcript: TranscriptRepository,
    private readonly evaluation: CallEvaluationService,
    private readonly carrier: CarrierRecordsService,
    private readonly charges: CallChargesService,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.rows.findDue(limit);
  }

  async process(rowId: string): Promise<void> {
    const call = await this.rows.claimWrapUp(Number(rowId));
    if (!call) return;
    addToLogContext({ callId: call.id });
    const renewalTimer = setInterval(
      () => void this.rows.renewLease(call).catch(() => undefined),
      WRAP_UP_LEASE_RENEWAL_MS,
    );
    try {
      await this.wrapUp(call);
    } finally {
      clearInterval(renewalTimer);
    }
  }

  private async wrapUp(call: EndedCall): Promise<void> {
    const pauseMs = RECORD_PAUSES_MS[call.wrapUpAttempts - 1];
    if (call.concludedClaim < call.conversationClaim && pauseMs !== undefined) {
      return this.postpone(call, pauseMs);
    }
    const turns = await this.transcript.findTurns(call.id);
    const [evaluated, carrier] = await Promise.all([
      this.evaluate(call, turns),
      this.carrier.fetchRecord(call),
    ]);
    if (evaluated === null) return this.postpone(call, EVALUATION_PAUSE_MS * call.wrapUpAttempts);
    if (carrier.priceMicros === null && call.wrapUpAttempts < MAX_PRICE_ATTEMPTS)
      return this.postpone(call, PRICE_PAUSE_MS);
    await this.finish(call, turns, evaluated, carrier);
  }

  /**
   * Stores the evaluation at once, so that waiting for the price causes no second one. Null: to be retried later.
   */
  private async evaluate(call: EndedCall, turns: CallTurnView[]): Promise<Evaluation | null> {
    if (call.evaluatedAt) return { evaluation: call.evaluation, error: call.evaluationError };
    const { evaluation, error, retry } = await this.evaluation.evaluateCall(call, turns);
    if (retry && call.wrapUpAttempts < MAX_EVALUATION_ATTEMPTS) return null;
    if (call.evaluationPlan) await this.rows.storeEvaluation(call, { evaluation, error });
    return { evaluation, error };
  }

  private async postpone(call: CallView, ms: number): Promise<void> {
    await this.rows.postponeWrapUp(call, ms);
    this.queue.enqueue('call-wrap-up', call, ms + 5);
  }

  private async finish(
    call: CallView,
    turns: CallTurnView[],
    { evaluation, error }: Evaluation,
    { priceMicros, recordingUrl }: CarrierCallRecord,
  ): Promise<void> {
    const done = await this.db.transaction(async (tx) => {
      const totals = await this.charges.chargeCall(tx, {
        accountId: call.accountId,
        callId: call.id,
        apiKeyId: call.apiKeyId,
        carrierCostMicros: priceMicros,
        pricePerMinuteMicros: call.pricePerMinuteMicros,
        durationSeconds: call.duration,
      });
      return this.rows.finishWrapUp(tx, call, {
        transcript: toTranscript(turns),
        evaluation,
        evaluationError: error,
        recordingUrl: recordingUrl ?? call.recordingUrl,
        ...totals,
        priceCheckAt: priceMicros === null ? new Date(Date.now() + LATE_PRICE_MS) : null,
      });
    });
    if (!done)
      this.logger.warn(`Call ${call.id} was wrapped up by another process; this result is discarded`);
  }
}

@Injectable()
export class WrapUpListener {
  constructor(private readonly queue: JobQueue) {}

  @OnDomainEvent(CallEnded)
  async onCallEnded({
    payload: { callId, accountId, isAnswered },
  }: DomainEvent<CallEndedPayload>): Promise<void> {
    if (isAnswered === false) return;
    this.queue.enqueue('call-wrap-up', { id: callId, accountId });
  }
}
