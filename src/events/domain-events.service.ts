import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventType } from './event-type.js';

export const EVENTS_CHANNEL = 'domain_events';

export interface PublishedEvent {
  /** The name of an `EventType`. */
  kind: string;
  payload: object;
}

@Injectable()
export class DomainEventsService {
  /**
   * Writes the event in the caller's transaction: it exists exactly when the fact does. Listeners receive it
   * after the commit, at least once.
   */
  async publish<P extends object>(tx: EntityManager, kind: EventType<P>, payload: P): Promise<void> {
    await tx.query(
      `WITH event AS (INSERT INTO domain_events (kind, payload) VALUES ($1, $2))
       SELECT pg_notify('${EVENTS_CHANNEL}', '')`,
      [kind.name, payload],
    );
  }

  /**
   * A fact and its events, in their order: one statement.
   *
   * @param fact SQL that changes rows; `values` are its parameters
   */
  async publishWithChange(
    tx: EntityManager,
    fact: string,
    values: readonly unknown[],
    events: readonly PublishedEvent[],
  ): Promise<void> {
    const given = `jsonb_array_elements($${values.length + 1}::jsonb) WITH ORDINALITY AS given (event, position)`;
    await tx.query(
      `WITH fact AS (${fact}), event AS (
         INSERT INTO domain_events (kind, payload)
         SELECT event ->> 'kind', event -> 'payload' FROM ${given} ORDER BY position)
       SELECT pg_notify('${EVENTS_CHANNEL}', '') WHERE $${values.length + 1}::jsonb <> '[]'`,
      [...values, JSON.stringify(events)],
    );
  }

  /**
   * Facts of several rows and their events, of all kinds for each row, in one statement.
   *
   * @param fact SQL that changes the rows and returns the events' `payload`, with other columns for the caller;
   * `values` are its parameters
   * @returns the rows that were changed
   */
  async publishForRows<Row extends object, P extends object = object>(
    db: EntityManager,
    fact: string,
    values: readonly unknown[],
    kinds: readonly EventType<P>[],
  ): Promise<Row[]> {
    return db.query(
      `WITH fact AS (${fact}), event AS (
         INSERT INTO domain_events (kind, payload)
         SELECT kind, payload FROM fact, unnest($${values.length + 1}::text[]) WITH ORDINALITY AS kinds (kind, position)
          ORDER BY position),
       told AS (SELECT pg_notify('${EVENTS_CHANNEL}', '') FROM fact LIMIT 1)
       SELECT fact.* FROM fact LEFT JOIN told ON true`,
      [...values, kinds.map(({ name }) => name)],
    );
  }
}
