import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { CallChangesService, setCallStatus } from '../call-changes.service.js';
import { callDuration, ENDED_STATUS } from './call-states.js';
import type { CallView } from '../call.view.js';
import { Call } from '../entities/call.entity.js';
import { newToken, storedTicket } from './web-call-ticket.js';

/** Time for the browser to open the line of a new call. */
export const WEB_CALL_TICKET_SECONDS = 60;
/** Without a renewal by the process of its line a call ends after this time. */
const LEASE_SECONDS = 30;

/** End reason of a call whose line no browser opened. */
const NOT_CONNECTED = 'not_connected';
/** Hold and maximum duration of a visitor's call, decided when its line opens; or the reason of a refusal. */
export type LineAdmission = Pick<Call, 'holdMicros' | 'maxDuration'> | 'plan_limit' | 'balance';

/** A visitor whose call waits for its line. */
export interface PendingVisitor {
  accountId: number;
  /** Runs under the lock of the account. */
  admit: (tx: EntityManager) => Promise<LineAdmission>;
}

/** End reason of a call whose line broke and was not opened again. */
const LINE_LOST = 'line_lost';

/**
 * States of web calls. They are reported by the process of the line, or by call reconciliation after its end. A token
 * opens the line once; then a new token opens it again after a break.
 */
@Injectable()
export class WebCallStateService {
  constructor(
    private readonly db: DataSource,
    private readonly changes: CallChangesService,
  ) {}

  /**
   * Opens the line with this token, for the first time or again, and replaces the token. A visitor's call gets its slot
   * and hold now, or ends.
   *
   * @param visitor null: the call has slot and hold already
   * @returns with the new token; null: an unknown or expired token; `refused`: no free slot or balance
   */
  async openLine(token: string, visitor: PendingVisitor | null): Promise<CallView | 'refused' | null> {
    const next = newToken();
    let outcome: 'opened' | 'refused' | null = null as 'opened' | 'refused' | null;
    const changed = await this.db.transaction(async (tx) => {
      if (visitor) await lockAccount(tx, visitor.accountId);
      const terms = visitor && (await visitor.admit(tx));
      return this.changes.changeCall(tx, { token: storedTicket(token) }, (call, now) => {
        if (call.type !== 'web' || !canOpen(call, now)) return;
        if (typeof terms === 'string') {
          outcome = 'refused';
          call.endedReason ??= terms;
          return setCallStatus(call, 'no-answer', now);
        }
        outcome = 'opened';
        call.token = storedTicket(next);
        call.checkAt = secondsAfter(now, LEASE_SECONDS);
        if (call.status !== 'initiated') return;
        if (terms) Object.assign(call, terms);
        call.answeredBy = 'human';
        setCallStatus(call, 'in-progress', now);
      });
    });
    this.changes.countEndedCall(changed);
    if (outcome === null || !changed) return null;
    return outcome === 'refused' ? outcome : { ...changed.call, token: next };
  }

  /** Renews the leases of open lines. Called at least every ten seconds. */
  async renewLines(ids: readonly number[]): Promise<void> {
    await this.db.query(
      `UPDATE calls SET check_at = now() + make_interval(secs => $2) WHERE id = ANY($1) AND ended_at IS NULL`,
      [ids, LEASE_SECONDS],
    );
  }

  /** The calls with a due hang-up. */
  async findDueHangUps(ids: readonly number[]): Promise<Set<number>> {
    const rows: { id: number }[] = await this.db.query(
      'SELECT id FROM calls WHERE id = ANY($1) AND hang_up_at <= now()',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Ends a call whose line is closed permanently. Without a reason so far, it was ended by the customer, or `lost`.
   *
   * @param token of the caller's line; null: its process has terminated
   */
  async closeLine(id: number, token: string | null, { lost }: { lost: boolean }): Promise<void> {
    const changed = await this.db.transaction((tx) =>
      this.changes.changeCall(tx, { id }, (call, now) => {
        // Another process has taken the call over.
        if (token !== null && call.token !== storedTicket(token)) return;
        if (call.status === 'initiated') {
          call.endedReason ??= NOT_CONNECTED;
          return setCallStatus(call, 'no-answer', now);
        }
        if (call.status !== 'in-progress') return;
        if (lost && call.endedBy === null) Object.assign(call, { endedBy: 'system', endedReason: LINE_LOST });
        setCallStatus(call, ENDED_STATUS[call.endedBy ?? 'customer'], now);
        call.duration = callDuration(call, now, undefined);
      }),
    );
    this.changes.countEndedCall(changed);
  }
}

function canOpen({ status, endedBy, createdAt }: Call, now: Date): boolean {
  if (status === 'initiated') return now <= secondsAfter(createdAt, WEB_CALL_TICKET_SECONDS);
  return status === 'in-progress' && endedBy === null;
}

const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);
