import pg from 'pg';

/**
 * A client of a pool with a listener for `error`. Without one, a connection closed by the database between its release
 * by the pool and its first query would be an unhandled error that ends the process. The next query rejects with it.
 */
export class DisconnectSafeClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
