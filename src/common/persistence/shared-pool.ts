import pg from 'pg';
import { runInContext, workContext, type WorkContext } from '../work-context.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { KeyedConcurrencyLimiter, type ReleaseSlot } from './keyed-concurrency-limiter.js';
import { PreparedStatementClient } from './prepared-statements.js';

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
export const withConnectionQuota = <T>(owner: ConnectionOwner, work: () => T): T =>
  runInContext({ owner }, work);

/** For statements for many owners at once, which no quota delays. */
export const withoutConnectionQuota = <T>(work: () => T): T => runInContext({ owner: undefined }, work);

/**
 * A pool of connections in which no account and no background work can take all of them. An owner that holds its
 * share waits for its own connections only: the queue of the pool itself is never full of one account's requests.
 */
export class SharedPool extends pg.Pool {
  private readonly accounts: KeyedConcurrencyLimiter<ConnectionOwner>;
  private readonly jobs: KeyedConcurrencyLimiter<ConnectionOwner>;
  private readonly held = new WeakMap<object, ReleaseSlot>();

  constructor({ accountShare, jobsShare, ...config }: SharedPoolConfig) {
    super({ Client: PreparedStatementClient, ...config } as pg.PoolConfig);
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
    const connected = this.connectInTurn();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /** @throws DatabaseUnavailable */
  private async connectInTurn(): Promise<pg.PoolClient> {
    const owner = workContext()?.owner;
    const release = owner === undefined ? null : await this.limiterOf(owner).acquire(owner);
    try {
      const client = await super.connect();
      if (release) this.held.set(client, release);
      return client;
    } catch (error) {
      release?.();
      throw new DatabaseUnavailable(error);
    }
  }

  private limiterOf(owner: ConnectionOwner): KeyedConcurrencyLimiter<ConnectionOwner> {
    return owner === 'jobs' ? this.jobs : this.accounts;
  }
}
