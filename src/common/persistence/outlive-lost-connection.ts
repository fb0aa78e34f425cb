import type { EventEmitter } from 'node:events';

/**
 * For `onConnect` of a connection pool. At the moment of being handed out a connection has no listener: the pool
 * has taken its own off and the borrower has not put his on. When the server closes it just then, its error would
 * end the process; the borrower's query fails anyway.
 */
export function outliveLostConnection(client: EventEmitter): void {
  client.on('error', () => undefined);
}
