import type { EventEmitter } from 'node:events';
import pg from 'pg';

/**
 * For `onConnect` of a connection pool. At the moment of being handed out a connection has no listener: the pool
 * has removed its own and the borrower has not added one yet. When the server closes it just then, its error would
 * end the process; the borrower's query fails anyway.
 */
export function guardConnectionErrors(client: EventEmitter): void {
  client.on('error', () => undefined);
}

/**
 * A client of a pool whose loss never ends the process. Between the pool that hands it out and the query runner
 * that takes it nobody listens; a connection that the database cuts in that moment is an unhandled error. Whoever
 * uses the client gets the error from its query.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
