import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import type { CallReport } from '#src/modules/telephony/carrier-reports.js';
import {
  estimateAnsweredAt,
  callDuration,
  isRecordingUrl,
  impliedTransitions,
  isAllowedTransition,
  maySetAnsweredBy,
  type EndedBy,
} from './call-states.js';
import type { VoicemailOutcome } from './call-actions.js';
import { CallActionsService } from './call-actions.service.js';
import {
  CallChangesService,
  setCallStatus,
  type CallChange,
  type CallSelector,
  type ChangedCall,
} from '../call-changes.service.js';
import type { CallView } from '../call.view.js';
import { Call } from '../entities/call.entity.js';

/** Time without a report after which the carrier is asked about a call that should be over. */
const CHECK_AFTER_END_SECONDS = 15;

/** End reason of a call that a machine answered. */
export const VOICEMAIL_REASON = 'voicemail';
/** A call with a machine ends after this time when it gets neither a hang-up nor a message. */
export const MACHINE_CALL_SECONDS = 30;

const MAX_BATCH = 100;

/** By the database's clock. Reconciliation, which hangs up, checks the call at the same time. */
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

  /** Reports that arrive together share a transaction. */
  private readonly reports = new BatchLoader<CallChange, CallView | null>(
    (changes) => this.applyAll(changes, { isSkipping: true }),
    MAX_BATCH,
  );

  constructor(
    private readonly db: DataSource,
    private readonly changes: CallChangesService,
    private readonly actions: CallActionsService,
  ) {}

  /** The carrier accepted the call. */
  markPlaced(id: number, carrierSid: string): Promise<void> {
    return this.placed.load({ id, sid: carrierSid });
  }

  /** The call was never placed, or the carrier lost it: it ends as `failed`, one that was answered as `ended`. */
  async markFailed(id: number, reason: string): Promise<void> {
    this.changes.countEndedCall(
      await this.db.transaction((tx) => this.endBySystem(tx, id, 'failed', reason)),
    );
  }

  /** Ends an inbound call that is not accepted, in the transaction that creates its record. */
  async rejectCall(tx: EntityManager, id: number, reason: string): Promise<void> {
    this.changes.countEndedCall(await this.endBySystem(tx, id, 'busy', reason));
  }

  /**
   * Applies a report of the carrier; it also contains the carrier's id of a call without a response.
   *
   * @returns the current call; null: there is no record of it
   */
  async applyReport(key: CallSelector, report: Omit<CallReport, 'token'>): Promise<CallView | null> {
    const change: CallChange = { key, apply: (call, now) => this.follow(call, now, report) };
    const changed = await this.reports.load(change);
    if (changed) return changed;
    // Unknown, or locked by another transaction: only this report waits for it.
    const [alone] = await this.applyAll([change], { isSkipping: false });
    return alone ?? null;
  }

  /** In one transaction. */
  private async applyAll(
    changes: readonly CallChange[],
    options: { isSkipping: boolean },
  ): Promise<(CallView | null)[]> {
    const changed = await this.db.transaction((tx) => this.changes.changeCalls(tx, changes, options));
    for (const call of new Set(changed)) this.changes.countEndedCall(call);
    return changed.map((one) => one?.call ?? null);
  }

  private follow(call: Call, now: Date, report: Omit<CallReport, 'token'>): void {
    if (call.erasedAt === null) call.carrierSid ??= report.sid;
    const { answeredBy } = report;
    if (maySetAnsweredBy(call, answeredBy)) call.answeredBy = answeredBy;
    if (report.recordingUrl !== undefined) this.noteRecording(call, report.recordingUrl);
    const running = call.endedAt === null;
    const isAnswerKnown = call.answeredAt !== null;
    for (const step of report.status ? impliedTransitions(call, report.status) : []) {
      if (isAllowedTransition(call.status, step)) setCallStatus(call, step, now);
    }
    if (!running || call.endedAt === null) return;
    if (!isAnswerKnown) call.answeredAt = estimateAnsweredAt(call, now, report.durationSeconds);
    call.duration = callDuration(call, now, report.durationSeconds);
  }

  /**
   * All of the conversation that holds the claim is stored. With an end it is over, see `markEnded`. Nothing happens
   * when another process has taken it over.
   */
  async concludeConversation(
    id: number,
    claim: number,
    end: { endedBy: EndedBy; reason: string } | null,
  ): Promise<void> {
    const isOpen = 'ended_by IS NULL AND ended_at IS NULL AND $3::text IS NOT NULL';
    await this.db.query(
      `UPDATE calls
          SET concluded_claim = $2, updated_at = now(),
              ended_by = CASE WHEN ${isOpen} THEN $3 ELSE ended_by END,
              ended_reason = CASE WHEN ${isOpen} THEN $4 ELSE ended_reason END,
              hang_up_at = CASE WHEN ${isOpen} THEN NULL ELSE hang_up_at END,
              check_at = CASE WHEN ${isOpen} THEN now() + interval '${CHECK_AFTER_END_SECONDS} seconds' ELSE check_at END
        WHERE id = $1 AND conversation_claim = $2`,
      [id, claim, end?.endedBy ?? null, end?.reason ?? null],
    );
  }

  /** The conversation is over; the first reason is kept. The carrier's report of the end follows. */
  async markEnded(id: number, endedBy: EndedBy, reason: string): Promise<void> {
    await this.db.manager.update(
      Call,
      { id, endedBy: IsNull(), endedAt: IsNull() },
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
        { endedBy: 'system', endedReason: VOICEMAIL_REASON, ...hangUpIn(hangUpInSeconds) },
      );
      if (affected === 1) await this.actions.storeVoicemail(tx, id, outcome);
      return affected === 1;
    });
  }

  /** The service hangs up after this time. Idempotent. */
  async scheduleHangUp(id: number, seconds: number): Promise<void> {
    await this.db.manager.update(
      Call,
      { id, endedBy: IsNull(), endedAt: IsNull(), hangUpAt: IsNull(), screenedAt: IsNull() },
      hangUpIn(seconds),
    );
  }

  /**
   * The service hangs up now: the caller does it, or else reconciliation or the process of the line. An earlier end
   * of the conversation is kept.
   *
   * @returns false when the call is over
   */
  async requestHangUp(id: number, reason: string, tx: EntityManager): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE calls
          SET ended_by = coalesce(ended_by, 'system'), ended_reason = coalesce(ended_reason, $2), updated_at = now(),
              hang_up_at = now(), check_at = now() + interval '${CHECK_AFTER_END_SECONDS} seconds'
        WHERE id = $1 AND ended_at IS NULL RETURNING id`,
      [id, reason],
    );
    return rows.length > 0;
  }

  /** Call screening answered: the call continues, whatever detection reports. */
  async markAnsweredByScreening(id: number): Promise<void> {
    await this.db.manager.update(
      Call,
      { id, endedBy: IsNull(), endedAt: IsNull() },
      { screenedAt: () => 'now()', hangUpAt: null },
    );
  }

  /** A recorded menu answered. Its destination is unknown: the call must not count as one with a mailbox. */
  async markAnsweredByMenu(id: number): Promise<void> {
    await this.markAnsweredByScreening(id);
    const detected = { id, answeredBy: 'machine', endedBy: IsNull(), endedAt: IsNull() } as const;
    await this.db.manager.update(Call, detected, { answeredBy: 'unknown' });
  }

  /** Detection was wrong: both sides have spoken. A later report is evaluated again. */
  async markAnsweredByPerson(id: number): Promise<void> {
    const isOpen = { id, endedBy: IsNull(), endedAt: IsNull() };
    await this.db.manager.update(
      Call,
      { ...isOpen, screenedAt: IsNull() },
      { answeredBy: 'human', hangUpAt: null },
    );
  }

  /** The person answered after call screening, or a mailbox did. */
  async markScreeningEnded(id: number, answeredBy: 'human' | 'machine'): Promise<void> {
    const over = answeredBy === 'machine' ? { screenedAt: null } : {};
    await this.db.manager.update(Call, { id }, { answeredBy, ...over });
  }

  private async endBySystem(
    tx: EntityManager,
    id: number,
    unanswered: 'busy' | 'failed',
    reason: string,
  ): Promise<ChangedCall | null> {
    return this.changes.changeCall(tx, { id }, (call, now) => {
      const to = call.status === 'in-progress' ? 'ended' : unanswered;
      if (!isAllowedTransition(call.status, to)) return;
      call.endedReason ??= reason;
      if (to === 'ended') call.endedBy ??= 'system';
      setCallStatus(call, to, now);
    });
  }

  private noteRecording(call: Call, url: string): void {
    if (isRecordingUrl(url)) call.recordingUrl = url;
    else this.logger.warn(`Call ${call.id}: the carrier's recording address is not a web address; ignored`);
  }

  /** Rows are locked by account, in the order of their ids, as other processes do it. */
  private async storeSids(calls: readonly { id: number; sid: string }[]): Promise<void[]> {
    await this.db.query(
      `UPDATE calls SET carrier_sid = given.sid, updated_at = now()
         FROM (SELECT calls.id, placed.sid FROM unnest($1::int[], $2::text[]) AS placed (id, sid)
                 JOIN calls USING (id) WHERE carrier_sid IS NULL ORDER BY account_id, id FOR UPDATE OF calls) given
        WHERE calls.id = given.id`,
      [calls.map(({ id }) => id), calls.map(({ sid }) => sid)],
    );
    return calls.map(() => undefined);
  }
}
