import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { partiesOf, rowsOf, type DueSource } from '#src/common/fairness/due-rows.js';
import type { DomainEvent } from './event-type.js';

export interface ClaimedEvent extends DomainEvent {
  /** 0: the event names none. */
  accountId: number;
  attempts: number;
}

interface EventRow {
  id: string;
  account_id: number;
  kind: string;
  payload: Record<string, unknown>;
  created_at: Date;
  attempts: number;
}

export interface ClaimLimits {
  limit: number;
  perAccount: number;
  /** Accounts that have their share already. */
  without: number[];
}

/** After this many failed attempts an event is `dead`: kept with its reason until it is replayed. */
export const MAX_ATTEMPTS = 12;
/** Short, because listeners only write rows and the events of a dead process should be claimed soon. */
const LEASE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 300;

const PENDING: DueSource = {
  table: 'domain_events',
  due: 'due_at',
  waiting: `state = 'pending'`,
  partyIs: 'party.account_id <> ALL($3)',
  claims: true,
};
const CLAIM = `${partiesOf(PENDING)}
  UPDATE domain_events SET attempts = attempts + 1, due_at = now() + make_interval(secs => $4)
   WHERE id IN (SELECT id FROM (${rowsOf(PENDING)}) claimed)
  RETURNING id, account_id, kind, payload, created_at, attempts`;

/** The outbox table. Claims are leases, so that events of a dead process are claimed again. */
@Injectable()
export class EventsRepository {
  constructor(private readonly db: DataSource) {}

  /** Claims round robin by account; returns the events in their order. */
  async claimEvents({ limit, perAccount, without }: ClaimLimits): Promise<ClaimedEvent[]> {
    const [rows]: [EventRow[], number] = await this.db.query(CLAIM, [
      limit,
      perAccount,
      without,
      LEASE_SECONDS,
    ]);
    return rows
      .map(({ created_at, account_id, ...row }) => ({
        ...row,
        accountId: account_id,
        occurredAt: created_at,
      }))
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  /** Extends leases. */
  async keep(ids: string[]): Promise<void> {
    await this.db.query(
      `UPDATE domain_events SET due_at = now() + make_interval(secs => $2) WHERE id = ANY($1::bigint[])`,
      [ids, LEASE_SECONDS],
    );
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
