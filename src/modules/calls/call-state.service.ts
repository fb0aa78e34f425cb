import { Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager } from 'typeorm';
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
import { CallEnded, CallUnanswered } from './call-events.js';
import { TRANSFERRED, wasTransferred, withOutcome } from './call-transfers.js';
import { Call } from './entities/call.entity.js';

/** How long a call that should be over may go without a report before the carrier is asked. */
const CHECK_AFTER_END_SECONDS = 15;

/** End reason of a call that a machine answered. */
export const VOICEMAIL = 'voicemail';
/** A call with a machine that is to be neither hung up on nor told anything ends after this time. */
export const HANG_UP_SECONDS = 30;

/** By the database's clock. Reconciliation, which hangs up, comes to the call at the same time. */
function hangUpIn(seconds: number): { hangUpAt: () => string; checkAt: () => string } {
  const then = (): string => `now() + interval '${seconds} seconds'`;
  return { hangUpAt: then, checkAt: then };
}

/** Moves calls through their states; late and repeated reports change nothing. */
@Injectable()
export class CallStateService {
  private readonly logger = new Logger(CallStateService.name);

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly metrics: CallMetricsService,
    private readonly actions: CallActionsService,
  ) {}

  /** The carrier accepted the call. */
  async markPlaced(id: number, carrierSid: string): Promise<void> {
    await this.db.manager.update(Call, { id, carrierSid: IsNull() }, { carrierSid });
  }

  /** The call was never placed, or the carrier lost it: it ends as `failed`, one that was answered as `ended`. */
  async markFailed(id: number, reason: string): Promise<void> {
    this.count(await this.db.transaction((tx) => this.endBySystem(tx, id, 'failed', reason)));
  }

  /** Ends an inbound call that is not accepted, in the transaction that creates its record. */
  async reject(tx: EntityManager, id: number, reason: string): Promise<void> {
    this.count(await this.endBySystem(tx, id, 'busy', reason));
  }

  /** Applies a report of the carrier; it also brings the carrier's id of a call whose request got no answer. */
  async applyReport(id: number, report: Omit<CallReport, 'token'>): Promise<void> {
    this.count(await this.db.transaction((tx) => this.follow(tx, id, report)));
  }

  private follow(tx: EntityManager, id: number, report: Omit<CallReport, 'token'>): Promise<Call | null> {
    return this.change(tx, id, async (call, now) => {
      call.carrierSid ??= report.sid;
      // Detection takes call screening for a machine.
      const isDetected = report.answeredBy && report.answeredBy !== 'unknown' && call.screenedAt === null;
      if (isDetected && report.answeredBy) call.answeredBy = report.answeredBy;
      if (report.recordingUrl !== undefined) this.noteRecording(call, report.recordingUrl);
      const running = call.endedAt === null;
      for (const step of report.status ? stepsFor(call, report.status) : []) {
        if (mayMove(call.status, step)) await this.move(call, step, tx, now);
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
  ): Promise<Call | null> {
    return this.change(tx, id, async (call, now) => {
      const to = call.status === 'in-progress' ? 'ended' : unanswered;
      if (!mayMove(call.status, to)) return;
      call.endedReason ??= reason;
      if (to === 'ended') call.endedBy ??= 'system';
      await this.move(call, to, tx, now);
    });
  }

  private noteRecording(call: Call, url: string): void {
    if (isRecordingUrl(url)) call.recordingUrl = url;
    else this.logger.warn(`Call ${call.id}: the carrier's recording address is not a web address; ignored`);
  }

  private count(ended: Call | null): void {
    if (ended) this.metrics.ended(ended);
  }

  /**
   * Times come from the database's clock: several processes write them, and charges depend on the difference.
   *
   * @returns the call when this change ended it
   */
  private async change(
    tx: EntityManager,
    id: number,
    apply: (call: Call, now: Date) => Promise<void>,
  ): Promise<Call | null> {
    const { entities, raw } = await tx
      .createQueryBuilder(Call, 'call')
      .addSelect('clock_timestamp()', 'now')
      .where({ id })
      .setLock('pessimistic_write')
      .getRawAndEntities<{ now: Date }>();
    const [call, moment] = [entities[0], raw[0]];
    if (!call || !moment) return null;
    const hadEnded = call.endedAt !== null;
    await apply(call, moment.now);
    await tx.save(call);
    return !hadEnded && call.endedAt !== null ? call : null;
  }

  private async move(call: Call, to: CallStatus, tx: EntityManager, now: Date): Promise<void> {
    call.status = to;
    if (to === 'in-progress') call.answeredAt = now;
    if (UNANSWERED.includes(to)) await this.end(call, now, tx, false);
    if (Object.values(ENDED_STATUS).includes(to)) await this.end(call, now, tx, true);
  }

  private async end(call: Call, now: Date, tx: EntityManager, answered: boolean): Promise<void> {
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
    const fact = { callId: call.id, accountId: call.accountId };
    await this.events.publish(tx, CallEnded, fact);
    if (!answered) await this.events.publish(tx, CallUnanswered, fact);
  }
}
