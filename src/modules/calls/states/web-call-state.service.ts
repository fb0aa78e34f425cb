import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { CallChangesService, setCallStatus } from '../call-changes.service.js';
import { callDuration, ENDED_STATUS } from './call-states.js';
import type { CallView } from '../call.view.js';
import { Call } from '../entities/call.entity.js';

/** A browser has so long to open the line of a new call. */
export const TICKET_SECONDS = 60;
/** Without a sign of life of the process that holds its line a call is over after this time. */
const SILENT_SECONDS = 30;
const TOKEN_BYTES = 24;

/** End reason of a call whose line no browser opened. */
const NOT_CONNECTED = 'not_connected';
/** What the call of a visitor may cost and last, decided when its line opens; or why there is no line. */
export type LineTerms = Pick<Call, 'holdMicros' | 'maxDuration'> | 'plan_limit' | 'balance';

/** A call of a visitor that waits for its line. */
export interface WaitingVisitor {
  accountId: number;
  /** Runs under the lock of the account. */
  admit: (tx: EntityManager) => Promise<LineTerms>;
}

/** End reason of a call whose line broke and was not opened again. */
const LINE_LOST = 'line_lost';

/**
 * States of web calls. No carrier reports on them: the process that holds the line does, and where it died, call
 * reconciliation. A token opens the line once; the one that takes its place opens it again when the line broke.
 */
@Injectable()
export class WebCallStateService {
  constructor(
    private readonly db: DataSource,
    private readonly changes: CallChangesService,
  ) {}

  /**
   * The line is opened with this token, for the first time or again; then the call has another one. The call of a
   * visitor takes its slot and its hold now, and ends where there is none.
   *
   * @param visitor null: of a call that has both since it began, or that had a line before
   * @returns null: no call waits for it, or it is too late; `refused`: there is no slot or no money for it
   */
  async openLine(token: string, visitor: WaitingVisitor | null): Promise<CallView | 'refused' | null> {
    let outcome: 'opened' | 'refused' | null = null as 'opened' | 'refused' | null;
    const changed = await this.db.transaction(async (tx) => {
      if (visitor) await lockAccount(tx, visitor.accountId);
      const terms = visitor && (await visitor.admit(tx));
      return this.changes.changeCall(tx, { token }, (call, now) => {
        if (call.type !== 'web' || !mayOpen(call, now)) return;
        if (typeof terms === 'string') {
          outcome = 'refused';
          call.endedReason ??= terms;
          return setCallStatus(call, 'no-answer', now);
        }
        outcome = 'opened';
        call.token = newToken();
        call.checkAt = secondsAfter(now, SILENT_SECONDS);
        if (call.status !== 'initiated') return;
        if (terms) Object.assign(call, terms);
        call.answeredBy = 'human';
        setCallStatus(call, 'in-progress', now);
      });
    });
    this.changes.count(changed);
    if (outcome === null || !changed) return null;
    return outcome === 'refused' ? outcome : changed.call;
  }

  /** The lines are open. Said at least every ten seconds. */
  async keepLines(ids: readonly number[]): Promise<void> {
    await this.db.query(
      `UPDATE calls SET check_at = now() + make_interval(secs => $2) WHERE id = ANY($1) AND ended_at IS NULL`,
      [ids, SILENT_SECONDS],
    );
  }

  /** Those of the calls that the service is to hang up. */
  async toHangUp(ids: readonly number[]): Promise<Set<number>> {
    const rows: { id: number }[] = await this.db.query(
      'SELECT id FROM calls WHERE id = ANY($1) AND hang_up_at <= now()',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The line is closed and will not be opened again: the call is over. One that has no reason yet was ended by the
   * customer, or `lost`.
   *
   * @param token that of the caller's line; null: whoever holds it is dead
   */
  async closeLine(id: number, token: string | null, { lost }: { lost: boolean }): Promise<void> {
    const changed = await this.db.transaction((tx) =>
      this.changes.changeCall(tx, { id }, (call, now) => {
        // Another process has taken the call over.
        if (token !== null && call.token !== token) return;
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
    this.changes.count(changed);
  }
}

function mayOpen({ status, endedBy, createdAt }: Call, now: Date): boolean {
  if (status === 'initiated') return now <= secondsAfter(createdAt, TICKET_SECONDS);
  return status === 'in-progress' && endedBy === null;
}

const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
