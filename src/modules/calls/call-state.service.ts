import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import type { CallReport } from '../telephony/carrier-reports.js';
import { CallEnded, CallUnanswered } from './call-events.js';
import { stepsFor, ENDED_STATUS, mayMove, UNANSWERED, type CallStatus, type EndedBy } from './call-states.js';
import { Call } from './entities/call.entity.js';

/** How long a call that should be over may stay silent before the carrier is asked. */
const CHECK_AFTER_END_MS = 15_000;

/** Moves calls through their states; late and repeated reports change nothing. */
@Injectable()
export class CallStateService {
  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
  ) {}

  /** The carrier accepted the call. */
  async markPlaced(id: number, carrierSid: string): Promise<void> {
    await this.db.query(
      `UPDATE calls SET carrier_sid = COALESCE(carrier_sid, $2), updated_at = now() WHERE id = $1`,
      [id, carrierSid],
    );
  }

  /** The call was never placed, or the carrier lost it: it ends as `failed`, one that was answered as `ended`. */
  async markFailed(id: number, reason: string): Promise<void> {
    await this.change(id, async (call, tx) => {
      const to = call.status === 'in-progress' ? 'ended' : 'failed';
      if (!mayMove(call.status, to)) return;
      call.endedReason ??= reason;
      if (to === 'ended') call.endedBy ??= 'system';
      await this.move(call, to, tx);
    });
  }

  /** What the carrier says of a call; it also tells the carrier's id of one whose request got no answer. */
  async applyReport(id: number, report: Omit<CallReport, 'token'>): Promise<void> {
    await this.change(id, async (call, tx) => {
      call.carrierSid ??= report.sid;
      if (report.answeredBy && report.answeredBy !== 'unknown') call.answeredBy = report.answeredBy;
      if (report.recordingUrl) call.recordingUrl = report.recordingUrl;
      const known = call.endedAt !== null;
      if (report.durationSeconds !== undefined && !known) call.duration = report.durationSeconds;
      for (const step of report.status ? stepsFor(call, report.status) : []) {
        if (mayMove(call.status, step)) await this.move(call, step, tx);
      }
    });
  }

  /** The conversation is over; who ended it first stays. The carrier's report of the end follows. */
  async markEnded(id: number, endedBy: EndedBy, reason: string): Promise<void> {
    await this.db.query(
      `UPDATE calls SET ended_by = $2, ended_reason = $3, check_at = $4, updated_at = now()
        WHERE id = $1 AND ended_by IS NULL AND ended_at IS NULL`,
      [id, endedBy, reason, new Date(Date.now() + CHECK_AFTER_END_MS)],
    );
  }

  private async change(id: number, apply: (call: Call, tx: EntityManager) => Promise<void>): Promise<void> {
    await this.db.transaction(async (tx) => {
      const call = await tx.findOne(Call, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!call) return;
      await apply(call, tx);
      await tx.save(call);
    });
  }

  private async move(call: Call, to: CallStatus, tx: EntityManager): Promise<void> {
    call.status = to;
    const now = new Date();
    if (to === 'in-progress') call.answeredAt = now;
    if (UNANSWERED.includes(to)) await this.end(call, now, tx, false);
    if (Object.values(ENDED_STATUS).includes(to)) await this.end(call, now, tx, true);
  }

  private async end(call: Call, now: Date, tx: EntityManager, answered: boolean): Promise<void> {
    call.endedAt = now;
    call.checkAt = null;
    if (answered) {
      call.endedBy ??= 'customer';
      call.endedReason ??= 'customer_hangup';
      call.wrapUpState = 'pending';
      call.wrapUpDueAt = now;
    }
    await this.events.publish(tx, CallEnded, { callId: call.id });
    if (!answered) await this.events.publish(tx, CallUnanswered, { callId: call.id });
  }
}
