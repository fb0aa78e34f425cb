import pg from 'pg';
import { runInContext, workContext, type WorkContext } from '../work-context.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { KeyedConcurrencyLimiter, type Release } from './keyed-concurrency-limiter.js';
import { PreparingClient } from './busy-statements.js';
import { guardConnectionErrors } from './connection-error-guard.js';

type ConnectionOwner = NonNullable<WorkContext['owner']>;

export interface SharedPoolConfig extends pg.PoolConfig {
  max: number;
  /** How many connections one account may hold at once. */
  accountShare: number;
  /** How many all background work may hold at once. */
  jobsShare: number;
}

type ConnectCallback = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];

/** Connections that the work takes count for its owner; work without an owner has no limit but the pool's. */
export const inShareOf = <T>(owner: ConnectionOwner, work: () => T): T => runInContext({ owner }, work);

/** For what is done for many owners at once: it waits for none of their shares. */
export const inNoShare = <T>(work: () => T): T => runInContext({ owner: undefined }, work);

/**
 * A pool of connections in which no account and no background work can take all of them. An owner that holds its
 * share waits for its own connections only: the queue of the pool itself is never full of one account's requests.
 */
export class SharedPool extends pg.Pool {
  private readonly accounts: KeyedConcurrencyLimiter<ConnectionOwner>;
  private readonly jobs: KeyedConcurrencyLimiter<ConnectionOwner>;
  private readonly held = new WeakMap<object, Release>();

  constructor({ accountShare, jobsShare, ...config }: SharedPoolConfig) {
    super({ Client: PreparingClient, onConnect: guardConnectionErrors, ...config } as pg.PoolConfig);
    this.accounts = new KeyedConcurrencyLimiter(accountShare);
    this.jobs = new KeyedConcurrencyLimiter(jobsShare);
    this.on('release', (_error, client) => {
      this.held.get(client)?.();
      this.held.delete(client);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    if (callback) return this.connectInTurn(callback);
    return new Promise((resolve, reject) => {
      this.connectInTurn((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  /** With callbacks, because it is a part of every query. An error is a DatabaseUnavailable. */
  private connectInTurn(callback: ConnectCallback): void {
    const owner = workContext()?.owner;
    if (owner === undefined) return this.connectHolding(null, callback);
    const limiter = owner === 'jobs' ? this.jobs : this.accounts;
    const release = limiter.tryEnter(owner);
    if (release) this.connectHolding(release, callback);
    else void limiter.enter(owner).then((entered) => this.connectHolding(entered, callback));
  }

  private connectHolding(release: Release | null, callback: ConnectCallback): void {
    super.connect((error, client, done) => {
      if (client && release) this.held.set(client, release);
      if (client) return callback(undefined, client, done);
      release?.();
      callback(new DatabaseUnavailable(error), undefined, done);
    });
  }
}
