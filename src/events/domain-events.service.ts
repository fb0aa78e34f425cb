import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from './event-type.js';

export const EVENTS_CHANNEL = 'domain_events';

@Injectable()
export class DomainEventsService {
  /**
   * Writes the event in the caller's transaction: it exists exactly when the fact does. Listeners receive it
   * after the commit, at least once.
   */
  async publish<P extends object>(tx: EntityManager, kind: EventType<P>, payload: P): Promise<void> {
    await this.publishAll(tx, [kind], payload);
  }

  /** Several events of one fact, in their order. */
  async publishAll<P extends object>(
    tx: EntityManager,
    kinds: readonly EventType<P>[],
    payload: P,
  ): Promise<void> {
    await tx.query(
      `WITH event AS (INSERT INTO domain_events (kind, payload) SELECT kind, $2 FROM unnest($1::text[]) AS kind)
       SELECT pg_notify('${EVENTS_CHANNEL}', '')`,
      [kinds.map(({ name }) => name), payload],
    );
  }
}
