import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DomainEvent } from './event-type.js';

export interface ClaimedEvent extends DomainEvent {
  attempts: number;
}

interface EventRow {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  created_at: Date;
  attempts: number;
}

/** After so many failed hand-overs an event is `dead`: kept with its reason, until somebody replays it. */
export const MAX_ATTEMPTS = 12;
/** Listeners only write rows; a process that died is missed for no longer than this. */
const LEASE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 300;

/** The outbox table: claims with a lease, so that an event of a process that died comes back by itself. */
@Injectable()
export class EventsRepository {
  constructor(private readonly db: DataSource) {}

  async claimEvents(limit: number): Promise<ClaimedEvent[]> {
    const [rows]: [EventRow[], number] = await this.db.query(
      `UPDATE domain_events SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2)
        WHERE id IN (
          SELECT id FROM domain_events WHERE state = 'pending' AND due_at <= now()
           ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, payload, created_at, attempts`,
      [limit, LEASE_SECONDS],
    );
    return rows
      .map(({ created_at, ...row }) => ({ ...row, occurredAt: created_at }))
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  async markHandled(ids: string[]): Promise<void> {
    await this.db.query(`DELETE FROM domain_events WHERE id = ANY($1::bigint[])`, [ids]);
  }

  async markFailed(event: ClaimedEvent, reason: string): Promise<void> {
    const wait = Math.min(MAX_BACKOFF_SECONDS, 2 ** event.attempts / 2);
    await this.db.query(
      `UPDATE domain_events SET last_error = $2, due_at = now() + make_interval(secs => $3),
              state = CASE WHEN attempts >= $4 THEN 'dead' ELSE 'pending' END
        WHERE id = $1`,
      [event.id, reason.slice(0, 2000), wait, MAX_ATTEMPTS],
    );
  }
}
