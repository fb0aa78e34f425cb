import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { EmbeddedServer } from '#src/embedded/child-server.js';
import { findRunningPostgres, startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { FixedPortProxy } from './fixed-port-proxy.js';

const REDIS_AWAY_MS = 3_000;
const POLL_MS = 50;
const log = (): void => undefined;

/** Milliseconds since the epoch. */
export interface Outage {
  from: number;
  to: number;
}

/** Postgres and Redis that can be stopped and restarted, each behind a proxy with a fixed address. */
export class Databases {
  /** Outages of Postgres. */
  readonly outages: Outage[] = [];
  postgresUrl = '';
  redisUrl = '';
  private readonly toPostgres = new FixedPortProxy();
  private readonly toRedis = new FixedPortProxy();
  private postgres: EmbeddedServer | null = null;
  private redis: EmbeddedServer | null = null;

  constructor(private readonly dataDir: string) {}

  async start(): Promise<void> {
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    this.redis = await this.openRedis();
    this.postgresUrl = await this.toPostgres.start(this.postgres.url);
    this.redisUrl = await this.toRedis.start(this.redis.url);
  }

  /** Fast shutdown: ends sessions and writes a checkpoint. */
  restartPostgres(): Promise<void> {
    return this.away(async () => this.postgres?.stop());
  }

  /** kill -9 of the postmaster; the embedded server starts it again. */
  async killPostgres(): Promise<void> {
    const killed = findRunningPostgres(this.dataDir);
    if (!killed) throw new Error('there is no postmaster to kill');
    const outage = { from: Date.now(), to: Infinity };
    this.outages.push(outage);
    process.kill(killed.pid, 'SIGKILL');
    while ([undefined, killed.pid].includes(findRunningPostgres(this.dataDir)?.pid)) await sleep(POLL_MS);
    outage.to = Date.now();
  }

  async flushRedis(): Promise<void> {
    if (!this.redis) return;
    const client = new Redis(this.redis.url);
    await client.flushall();
    client.disconnect();
  }

  async restartRedis(): Promise<void> {
    this.toRedis.setTarget(null);
    await this.redis?.stop();
    await sleep(REDIS_AWAY_MS);
    this.redis = await this.openRedis();
    this.toRedis.setTarget(this.redis.url);
  }

  async stop(): Promise<void> {
    await this.toPostgres.close();
    await this.toRedis.close();
    await this.redis?.stop();
    await this.postgres?.stop();
  }

  private async away(stop: () => Promise<void>): Promise<void> {
    const outage = { from: Date.now(), to: Infinity };
    this.outages.push(outage);
    await stop();
    this.toPostgres.setTarget(null);
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    this.toPostgres.setTarget(this.postgres.url);
    outage.to = Date.now();
  }

  private async openRedis(): Promise<EmbeddedServer> {
    const redis = await startEmbeddedRedis({ dataDir: this.dataDir, log });
    if (!redis) throw new Error('this run needs redis-server or valkey-server on the PATH');
    return redis;
  }
}
