import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { DomainEvent } from './event-type.js';

/** `claim` counts the attempts to hand it over, this one included. */
export interface ClaimedEvent extends DomainEvent, Lease {
  id: string;
  /** 0: the event names none. */
  accountId: number;
}

export interface ClaimLimits {
  limit: number;
  perAccount: number;
  /** Accounts that have their share already. */
  without: number[];
}

/** After this many failed attempts an event is `dead`: kept with its reason until it is replayed. */
export const MAX_EVENT_ATTEMPTS = 12;
/** Short, because listeners only write rows and the events of a dead process should be claimed soon. */
const LEASE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 300;

/** The outbox table. */
@Injectable()
export class EventsRepository {
  private readonly pending: LeasedRows<ClaimedEvent>;

  constructor(private readonly db: DataSource) {
    this.pending = new LeasedRows(db, {
      table: 'domain_events',
      due: 'due_at',
      waiting: `state = 'pending'`,
      partyIs: 'party.account_id <> ALL($3)',
      seconds: LEASE_SECONDS,
      counter: 'attempts',
      returning: 'account_id AS "accountId", kind, payload, created_at AS "occurredAt"',
    });
  }

  /** Claims round robin by account; returns the events in their order. */
  async claimEvents({ limit, perAccount, without }: ClaimLimits): Promise<ClaimedEvent[]> {
    const events = await this.pending.claimNext(limit, perAccount, [without]);
    return events.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  renewEvents(events: ClaimedEvent[]): Promise<void> {
    return this.pending.renew(events);
  }

  async markHandled(ids: string[]): Promise<void> {
    await this.db.query(`DELETE FROM domain_events WHERE id = ANY($1::bigint[])`, [ids]);
  }

  async markFailed(event: ClaimedEvent, reason: string): Promise<void> {
    const wait = Math.min(MAX_BACKOFF_SECONDS, 2 ** event.claim / 2);
    const state = event.claim >= MAX_EVENT_ATTEMPTS ? 'dead' : 'pending';
    await this.pending.release(event, wait, { last_error: reason.slice(0, 2000), state });
  }
}
