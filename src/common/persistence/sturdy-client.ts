import pg from 'pg';

/**
 * A client of a pool whose loss never ends the process. Between the pool that hands it out and the query runner
 * that takes it nobody listens; a connection that the database cuts in that moment is an unhandled error. Whoever
 * uses the client learns of the loss from his query.
 */
export class SturdyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
