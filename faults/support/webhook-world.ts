import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { EmbeddedServer } from '#src/embedded/child-server.js';
import { startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import { freePort, startService, type ServiceProcess } from '../../test/support/service.js';
import { StandIn } from './stand-in.js';

const ACCOUNT = { accountSid: `AC${'f'.repeat(32)}`, authToken: 'faults-token', apiKey: 'faults-key' };
const WORKERS = 2;
const STARTS = 10;
const START_PAUSE_MS = 1_000;
const REDIS_AWAY_MS = 3_000;
const log = (): void => undefined;

/** An API process that lives, workers that die, and databases that go away and come back. */
export class WebhookWorld {
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly workers: ServiceProcess[] = [];
  private readonly toPostgres = new StandIn();
  private readonly toRedis = new StandIn();
  private api: ServiceProcess | null = null;
  private postgres: EmbeddedServer;
  private redis: EmbeddedServer;
  private env: Record<string, string> = {};
  databaseUrl = '';
  sandboxUrl = '';
  apiUrl = '';

  private constructor(private readonly dataDir: string) {}

  static async start(): Promise<WebhookWorld> {
    const world = new WebhookWorld(mkdtempSync(join(tmpdir(), 'calls-faults-')));
    try {
      await world.open();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  /** kill -9, then another one, as a supervisor would start it: again, when the database is away just then. */
  async crash(index: number): Promise<void> {
    await this.workers[index]?.kill();
    for (let left = STARTS; ; left--) {
      try {
        this.workers[index] = await startService({ ...this.env, ROLE: 'worker' });
        return;
      } catch (error) {
        if (left === 1) throw error;
        await sleep(START_PAUSE_MS);
      }
    }
  }

  async restartPostgres(): Promise<void> {
    await this.postgres.stop();
    this.toPostgres.lead(null);
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    this.toPostgres.lead(this.postgres.url);
  }

  async flushRedis(): Promise<void> {
    const client = new Redis(this.redis.url);
    await client.flushall();
    client.disconnect();
  }

  async restartRedis(): Promise<void> {
    this.toRedis.lead(null);
    await this.redis.stop();
    await sleep(REDIS_AWAY_MS);
    this.redis = await this.openRedis();
    this.toRedis.lead(this.redis.url);
  }

  /** What the processes complained about, without repetitions; what is no log line is what killed one. */
  complaints(): string[] {
    const services = [this.api, ...this.workers].filter((service) => service !== null);
    const lines = services.flatMap((service) => service.output().split('\n')).filter(Boolean);
    const told = lines.filter((line) => !/"level":"(info|debug)"/.test(line));
    const ended = services.filter(({ process: { exitCode } }) => exitCode !== null);
    return [
      ...new Set(told.map((line) => line.replace(/"(time|requestId|callId|rowId)":("[^"]*"|\d+),/g, ''))),
      ...ended.map(({ url, process: { exitCode } }) => `${url} ended by itself with ${exitCode}`),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }

  private async open(): Promise<void> {
    // However this process ends, it leaves no service running.
    process.once('exit', () => {
      for (const service of [this.api, ...this.workers]) service?.process.kill('SIGKILL');
    });
    this.stops.push(async () => rmSync(this.dataDir, { recursive: true, force: true }));
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    this.stops.push(() => this.postgres.stop());
    this.redis = await this.openRedis();
    this.stops.push(() => this.redis.stop());
    this.databaseUrl = await this.toPostgres.start(this.postgres.url);
    this.stops.push(() => this.toPostgres.close());
    const redisUrl = await this.toRedis.start(this.redis.url);
    this.stops.push(() => this.toRedis.close());
    const port = await freePort();
    this.apiUrl = `http://127.0.0.1:${port}`;
    const sandbox = await startSandbox({
      port: 0,
      ...ACCOUNT,
      speed: 20,
      publicNumberWebhook: `${this.apiUrl}/telephony/incoming`,
    });
    this.sandboxUrl = sandbox.url;
    this.stops.push(() => sandbox.close());
    this.env = {
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: redisUrl,
      PUBLIC_URL: this.apiUrl,
      TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
      TWILIO_API_URL: sandbox.url,
      LLM_BASE_URL: `${sandbox.url}/v1`,
      LLM_API_KEY: ACCOUNT.apiKey,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
    };
    const api = await startService({ ...this.env, ROLE: 'api', PORT: String(port) });
    this.api = api;
    this.stops.push(() => api.stop());
    for (let count = 0; count < WORKERS; count++) {
      this.workers.push(await startService({ ...this.env, ROLE: 'worker' }));
    }
  }

  private async openRedis(): Promise<EmbeddedServer> {
    const redis = await startEmbeddedRedis({ dataDir: this.dataDir, log });
    if (!redis) throw new Error('this run needs redis-server or valkey-server on the PATH');
    return redis;
  }
}
