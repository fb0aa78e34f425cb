import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#src/embedded/embedded-postgres.js';
import { startEmbeddedRedis } from '#src/embedded/embedded-redis.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import { startService, type ServiceProcess } from '../../test/support/service.js';
import { FaultyCarrier } from './faulty-carrier.js';
import { FaultyReports } from './faulty-reports.js';
import type { Random } from './random.js';

const ACCOUNT = { accountSid: `AC${'f'.repeat(32)}`, authToken: 'faults-token', apiKey: 'faults-key' };
const SERVICES = 2;

/** What the carrier's side knows of a message. */
export interface SentMessage {
  sid: string;
  from: string;
  to: string;
  body: string;
}

/** Databases, the carrier and two processes of the service, with faults in between. All but the services outlive kills. */
export class World {
  private readonly stops: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly services: ServiceProcess[],
    readonly databaseUrl: string,
    readonly carrier: FaultyCarrier,
    readonly reports: FaultyReports,
    private readonly carrierUrl: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(random: Random, heldBackMs: number): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-faults-'));
    const log = (): void => undefined;
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const redis = await startEmbeddedRedis({ dataDir, log });
    const sandbox = await startSandbox({ port: 0, ...ACCOUNT, speed: 20 });
    const carrier = new FaultyCarrier(sandbox.url, random);
    const services: ServiceProcess[] = [];
    const held = (sid: string): number => (carrier.hidden.has(sid) ? heldBackMs : 0);
    const reports = new FaultyReports(random, () => services.map(({ url }) => url), held);
    const world = new World(services, postgres.url, carrier, reports, sandbox.url, {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      ...(redis ? { REDIS_URL: redis.url } : {}),
      PUBLIC_URL: await reports.start(),
      TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
      TWILIO_API_URL: await carrier.start(),
      LLM_BASE_URL: `${sandbox.url}/v1`,
      LLM_API_KEY: ACCOUNT.apiKey,
      LOG_LEVEL: 'info',
    });
    world.stops.push(
      async () => rmSync(dataDir, { recursive: true, force: true }),
      () => postgres.stop(),
      async () => redis?.stop(),
      () => sandbox.close(),
      () => carrier.close(),
      () => reports.close(),
    );
    try {
      for (let count = 0; count < SERVICES; count++) services.push(await startService(world.env));
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  /** kill -9, then the same process again, on the same port. */
  async crash(index: number): Promise<void> {
    const service = this.services[index];
    if (!service) return;
    await service.kill();
    this.services[index] = await startService({ ...this.env, PORT: new URL(service.url).port });
  }

  /** Every message that the carrier has accepted from this number. */
  async sentFrom(number: string): Promise<SentMessage[]> {
    const query = new URLSearchParams({ From: number, PageSize: '1000' });
    const found: SentMessage[] = [];
    let path: string | null = `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json?${query}`;
    while (path !== null) {
      const response: Response = await fetch(this.carrierUrl + path, {
        headers: { authorization: `Basic ${btoa(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`)}` },
      });
      const page = (await response.json()) as { messages: SentMessage[]; next_page_uri: string | null };
      found.push(...page.messages);
      path = page.next_page_uri;
    }
    return found;
  }

  /** What the processes that run complained about, apart from the carrier's refusals, without repetitions. */
  complaints(): string[] {
    const lines = this.services.flatMap((service) => service.output().split('\n'));
    const told = lines
      .filter((line) => line.includes('"level":"error"') && !line.includes('SmsNotSent'))
      .map((line) => line.replace(/"time":"[^"]*",|\(request [^)]*\)/g, ''));
    return [...new Set(told)];
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    for (const stop of this.stops.reverse()) await stop();
  }
}
