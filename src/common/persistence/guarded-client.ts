import pg from 'pg';

/**
 * A client of a pool whose loss never ends the process. Between the pool that hands it out and the borrower that takes
 * it nobody listens; a connection that the database cuts in that moment is an unhandled error. Whoever uses the client
 * gets the error from its query.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
