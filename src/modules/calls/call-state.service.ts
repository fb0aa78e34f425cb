import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager, type UpdateQueryBuilder } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { EventType } from '#src/events/event-type.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import type { CallReport } from '../telephony/carrier-reports.js';
import {
  callDuration,
  isRecordingUrl,
  stepsFor,
  ENDED_STATUS,
  mayMove,
  UNANSWERED,
  type CallStatus,
  type EndedBy,
} from './call-states.js';
import type { VoicemailOutcome } from './call-actions.js';
import { CallActionsService } from './call-actions.service.js';
import { CallMetricsService } from './call-metrics.service.js';
import { type CallEnd, CallEnded, CallUnanswered } from './call-events.js';
import type { CallView } from './call.view.js';
import { TRANSFERRED, wasTransferred, withOutcome } from './call-transfers.js';
import { Call } from './entities/call.entity.js';

/** How long a call that should be over may go without a report before the carrier is asked. */
const CHECK_AFTER_END_SECONDS = 15;

/** End reason of a call that a machine answered. */
export const VOICEMAIL = 'voicemail';
/** A call with a machine that is to be neither hung up on nor told anything ends after this time. */
export const HANG_UP_SECONDS = 30;

/** A call by its id, by the token of its callbacks or by the carrier's id. */
export type CallKey = { id: number } | { token: string } | { carrierSid: string };

const MAX_BATCH = 100;

/** By the database's clock. Reconciliation, which hangs up, comes to the call at the same time. */
function hangUpIn(seconds: number): { hangUpAt: () => string; checkAt: () => string } {
  const then = (): string => `now() + interval '${seconds} seconds'`;
  return { hangUpAt: then, checkAt: then };
}

/** Moves calls through their states; late and repeated reports change nothing. */
@Injectable()
export class CallStateService {
  private readonly logger = new Logger(CallStateService.name);

  private readonly placed = new BatchLoader<{ id: number; sid: string }, void>(
    (calls) => this.storeSids(calls),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly metrics: CallMetricsService,
    private readonly actions: CallActionsService,
  ) {}

  /** The carrier accepted the call. */
  markPlaced(id: number, carrierSid: string): Promise<void> {
    return this.placed.load({ id, sid: carrierSid });
  }

  /**
   * A report that does not depend on what else is known of the call, without a lock: that a call rings that was just
   * placed, that a person answered, or the address of a recording.
   *
   * @returns false for another report, or when nothing changed: it is to be applied as others are
   */
  async applySimpleReport(token: string, report: Omit<CallReport, 'token'>): Promise<boolean> {
    const { status, answeredBy, recordingUrl, sid } = report;
    const given = [status, answeredBy, recordingUrl].filter((value) => value !== undefined);
    if (given.length !== 1) return false;
    const columns = { carrierSid: () => 'coalesce(carrier_sid, :sid)' };
    const update = this.db.createQueryBuilder().update(Call).setParameter('sid', sid);
    if (status === 'ringing') update.set({ ...columns, status }).where({ token, status: 'initiated' });
    else if (answeredBy === 'human')
      update.set({ ...columns, answeredBy }).where({ token, screenedAt: IsNull() });
    else if (recordingUrl !== undefined && isRecordingUrl(recordingUrl))
      update.set({ ...columns, recordingUrl }).where({ token });
    else return false;
    return (await update.execute()).affected === 1;
  }

  /** The call was never placed, or the carrier lost it: it ends as `failed`, one that was answered as `ended`. */
  async markFailed(id: number, reason: string): Promise<void> {
    this.count(await this.db.transaction((tx) => this.endBySystem(tx, id, 'failed', reason)));
  }

  /** Ends an inbound call that is not accepted, in the transaction that creates its record. */
  async reject(tx: EntityManager, id: number, reason: string): Promise<void> {
    this.count(await this.endBySystem(tx, id, 'busy', reason));
  }

  /**
   * Applies a report of the carrier; it also brings the carrier's id of a call whose request got no answer.
   *
   * @returns the call as it is now; null: nobody knows it
   */
  async applyReport(key: CallKey, report: Omit<CallReport, 'token'>): Promise<CallView | null> {
    const changed = await this.db.transaction((tx) => this.follow(tx, key, report));
    this.count(changed);
    return changed?.call ?? null;
  }

  private follow(
    tx: EntityManager,
    key: CallKey,
    report: Omit<CallReport, 'token'>,
  ): Promise<ChangedCall | null> {
    return this.change(tx, key, (call, now) => {
      call.carrierSid ??= report.sid;
      // Detection takes call screening for a machine.
      const isDetected = report.answeredBy && report.answeredBy !== 'unknown' && call.screenedAt === null;
      if (isDetected && report.answeredBy) call.answeredBy = report.answeredBy;
      if (report.recordingUrl !== undefined) this.noteRecording(call, report.recordingUrl);
      const running = call.endedAt === null;
      for (const step of report.status ? stepsFor(call, report.status) : []) {
        if (mayMove(call.status, step)) this.move(call, step, now);
      }
      if (running && call.endedAt !== null) call.duration = callDuration(call, now, report.durationSeconds);
    });
  }

  /**
   * The conversation is over; the first reason is kept. The carrier's report of the end follows.
   *
   * @param claim of the conversation that ended; nothing happens when another process has taken it over
   */
  async markEnded(id: number, endedBy: EndedBy, reason: string, claim: number | null = null): Promise<void> {
    await this.db.manager.update(
      Call,
      {
        id,
        endedBy: IsNull(),
        endedAt: IsNull(),
        ...(claim === null ? {} : { conversationClaim: claim }),
      },
      {
        endedBy,
        endedReason: reason,
        hangUpAt: null,
        checkAt: () => `now() + interval '${CHECK_AFTER_END_SECONDS} seconds'`,
      },
    );
  }

  /**
   * Ends a call that a machine answered and that is hung up by the carrier, at the latest after this time by the
   * service, and stores what becomes of it. @returns false when it was over already, or is screened
   */
  async markVoicemail(id: number, hangUpInSeconds: number, outcome: VoicemailOutcome): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const { affected } = await tx.update(
        Call,
        { id, endedBy: IsNull(), endedAt: IsNull(), screenedAt: IsNull() },
        { endedBy: 'system', endedReason: VOICEMAIL, ...hangUpIn(hangUpInSeconds) },
      );
      if (affected === 1) await this.actions.storeVoicemail(tx, id, outcome);
      return affected === 1;
    });
  }

  /** The service hangs up after this time. Said again, it changes nothing. */
  async hangUpIn(id: number, seconds: number): Promise<void> {
    await this.db.manager.update(
      Call,
      { id, endedBy: IsNull(), endedAt: IsNull(), hangUpAt: IsNull(), screenedAt: IsNull() },
      hangUpIn(seconds),
    );
  }

  /** Call screening answered: whatever detection reports, the call goes on. */
  async markScreened(id: number): Promise<void> {
    await this.db.manager.update(
      Call,
      { id, endedBy: IsNull(), endedAt: IsNull() },
      { screenedAt: () => 'now()', hangUpAt: null },
    );
  }

  /** A recorded menu answered. Whom it leads to is not known: the call must not count as one with a mailbox. */
  async markMenu(id: number): Promise<void> {
    await this.markScreened(id);
    const detected = { id, answeredBy: 'machine', endedBy: IsNull(), endedAt: IsNull() } as const;
    await this.db.manager.update(Call, detected, { answeredBy: 'unknown' });
  }

  /** The person came to the phone, or a mailbox in the person's place. */
  async markScreeningOver(id: number, answeredBy: 'human' | 'machine'): Promise<void> {
    const over = answeredBy === 'machine' ? { screenedAt: null } : {};
    await this.db.manager.update(Call, { id }, { answeredBy, ...over });
  }

  private async endBySystem(
    tx: EntityManager,
    id: number,
    unanswered: 'busy' | 'failed',
    reason: string,
  ): Promise<ChangedCall | null> {
    return this.change(tx, { id }, (call, now) => {
      const to = call.status === 'in-progress' ? 'ended' : unanswered;
      if (!mayMove(call.status, to)) return;
      call.endedReason ??= reason;
      if (to === 'ended') call.endedBy ??= 'system';
      this.move(call, to, now);
    });
  }

  private noteRecording(call: Call, url: string): void {
    if (isRecordingUrl(url)) call.recordingUrl = url;
    else this.logger.warn(`Call ${call.id}: the carrier's recording address is not a web address; ignored`);
  }

  private count(changed: ChangedCall | null): void {
    if (changed?.hasEnded) this.metrics.ended(changed.call);
  }

  /** Rows are locked in the order of their ids, as other processes do it. */
  private async storeSids(calls: readonly { id: number; sid: string }[]): Promise<void[]> {
    await this.db.query(
      `UPDATE calls SET carrier_sid = given.sid, updated_at = now()
         FROM (SELECT calls.id, placed.sid FROM unnest($1::int[], $2::text[]) AS placed (id, sid)
                 JOIN calls USING (id) WHERE carrier_sid IS NULL ORDER BY id FOR UPDATE OF calls) given
        WHERE calls.id = given.id`,
      [calls.map(({ id }) => id), calls.map(({ sid }) => sid)],
    );
    return calls.map(() => undefined);
  }

  /** Times come from the database's clock: several processes write them, and charges depend on the difference. */
  private async change(
    tx: EntityManager,
    key: CallKey,
    apply: (call: Call, now: Date) => void,
  ): Promise<ChangedCall | null> {
    const { entities, raw } = await tx
      .createQueryBuilder(Call, 'call')
      .addSelect('clock_timestamp()', 'now')
      .where(key)
      .setLock('pessimistic_write')
      .getRawAndEntities<{ now: Date }>();
    const [call, moment] = [entities[0], raw[0]];
    if (!call || !moment) return null;
    const before = { ...call };
    apply(call, moment.now);
    const names = Object.keys(call) as (keyof Call)[];
    const changed = names.filter((column) => !isDeepStrictEqual(call[column], before[column]));
    const hasEnded = before.endedAt === null && call.endedAt !== null;
    if (changed.length > 0) {
      const columns = Object.fromEntries(changed.map((column) => [column, call[column]]));
      const update = tx.createQueryBuilder().update(Call).set(columns).where({ id: call.id });
      if (hasEnded) await this.publishEnd(tx, update, call);
      else await update.execute();
    }
    return { call, hasEnded };
  }

  private publishEnd(
    tx: EntityManager,
    update: UpdateQueryBuilder<Call>,
    { id, accountId, status }: Call,
  ): Promise<void> {
    const isAnswered = !UNANSWERED.includes(status);
    const kinds: EventType<CallEnd>[] = isAnswered ? [CallEnded] : [CallEnded, CallUnanswered];
    return this.events.publishWith(tx, update, kinds, { callId: id, accountId, isAnswered });
  }

  private move(call: Call, to: CallStatus, now: Date): void {
    call.status = to;
    if (to === 'in-progress') call.answeredAt = now;
    if (UNANSWERED.includes(to)) this.end(call, now, false);
    if (Object.values(ENDED_STATUS).includes(to)) this.end(call, now, true);
  }

  private end(call: Call, now: Date, answered: boolean): void {
    call.endedAt = now;
    call.checkAt = null;
    // Whoever is being called has no one to talk to any more.
    call.transfers = withOutcome(call.transfers, 'canceled');
    if (answered) {
      call.endedBy ??= 'customer';
      call.endedReason ??= wasTransferred(call) ? TRANSFERRED : 'customer_hangup';
      call.wrapUpState = 'pending';
      call.wrapUpDueAt = now;
    } else {
      // The wrap-up of an answered call charges it and releases the hold in one transaction.
      call.holdMicros = 0n;
    }
  }
}

interface ChangedCall {
  call: Call;
  /** By this change. */
  hasEnded: boolean;
}
