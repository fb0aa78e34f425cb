import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CallChangesService, moveCall } from './call-changes.service.js';
import { callDuration, ENDED_STATUS } from './call-states.js';
import type { CallView } from './call.view.js';
import { Call } from './entities/call.entity.js';

/** A browser has so long to open the line of a new call. */
export const TICKET_SECONDS = 60;
/** Without a sign of life of the process that holds its line a call is over after this time. */
const SILENT_SECONDS = 30;
const TOKEN_BYTES = 24;

/** End reason of a call whose line no browser opened. */
export const NOT_CONNECTED = 'not_connected';
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
   * The line is opened with this token, for the first time or again; then the call has another one.
   *
   * @returns null: no call waits for it, or it is too late
   */
  async openLine(token: string): Promise<CallView | null> {
    let isOpened = false;
    const changed = await this.db.transaction((tx) =>
      this.changes.change(tx, { token }, (call, now) => {
        isOpened = call.type === 'web' && mayOpen(call, now);
        if (!isOpened) return;
        call.token = newToken();
        call.checkAt = secondsAfter(now, SILENT_SECONDS);
        if (call.status !== 'initiated') return;
        call.answeredBy = 'human';
        moveCall(call, 'in-progress', now);
      }),
    );
    return isOpened && changed ? changed.call : null;
  }

  /** The lines are open. Said at least every ten seconds. */
  async keepLines(ids: readonly number[]): Promise<void> {
    await this.db.query(
      `UPDATE calls SET check_at = now() + make_interval(secs => $2) WHERE id = ANY($1) AND ended_at IS NULL`,
      [ids, SILENT_SECONDS],
    );
  }

  /**
   * The line is closed and will not be opened again: the call is over. One that has no reason yet was ended by the
   * customer, or `lost`.
   *
   * @param token that of the caller's line; null: whoever holds it is dead
   */
  async closeLine(id: number, token: string | null, { lost }: { lost: boolean }): Promise<void> {
    const changed = await this.db.transaction((tx) =>
      this.changes.change(tx, { id }, (call, now) => {
        // Another process has taken the call over.
        if (token !== null && call.token !== token) return;
        if (call.status === 'initiated') {
          call.endedReason ??= NOT_CONNECTED;
          return moveCall(call, 'no-answer', now);
        }
        if (call.status !== 'in-progress') return;
        if (lost && call.endedBy === null) Object.assign(call, { endedBy: 'system', endedReason: LINE_LOST });
        moveCall(call, ENDED_STATUS[call.endedBy ?? 'customer'], now);
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
