import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventKind } from './event-kind.js';

export const EVENTS_CHANNEL = 'domain_events';

@Injectable()
export class DomainEvents {
  /**
   * Writes the event in the caller's transaction: it happens exactly if the fact does. Listeners hear of it
   * after the commit, at least once.
   */
  async publish<P extends object>(tx: EntityManager, kind: EventKind<P>, payload: P): Promise<void> {
    await tx.query(
      `WITH event AS (INSERT INTO domain_events (kind, payload) VALUES ($1, $2))
       SELECT pg_notify('${EVENTS_CHANNEL}', '')`,
      [kind.name, payload],
    );
  }
}
