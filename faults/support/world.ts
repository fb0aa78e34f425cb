import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { database } from '../../test/support/database.js';
import { freePort } from '#src/embedded/free-port.js';
import { startService, type ServiceProcess } from '../../test/support/service.js';
import { Databases, type Outage } from './databases.js';
import { FaultyCarrier } from './faulty-carrier.js';
import { FaultyReports } from './faulty-reports.js';
import type { Random } from './random.js';
import { SandboxProcess } from './sandbox-process.js';

const ACCOUNT = { accountSid: `AC${'f'.repeat(32)}`, authToken: 'faults-token', apiKey: 'faults-key' };
const STARTS = 10;
const START_PAUSE_MS = 1_000;

export interface WorldOptions {
  random: Random;
  /** One process of the service for each; the first one is where the carrier's callbacks go. */
  roles: readonly ('all' | 'api' | 'worker')[];
  /** Brings message reports to the processes instead; reports about hidden messages this much later. */
  reportsHeldBackMs?: number;
  env?: Record<string, string>;
  /** Divides how long people on the line take. */
  sandboxSpeed?: number;
  /** Modules below `faults/` that every process of the service loads before it starts. */
  preload?: readonly string[];
}

/** What the carrier's side knows of a message. */
export interface SentMessage {
  sid: string;
  from: string;
  to: string;
  body: string;
}

/** A process that was killed, from the signal to its end. */
export interface Death extends Outage {
  pid: number;
}

/** What differs between two lines of one complaint. */
const OF_ONE_LINE =
  /"time":"[^"]*",|"(requestId|callId|job|rowId)":("[^"]*"|\d+),|,"detail":".*"(?=\})|\(request [^)]*\)/g;

/** The service in one or more processes, its databases and its carrier, each of which can fail. */
export class World {
  readonly deaths: Death[] = [];
  readonly services: ServiceProcess[] = [];
  readonly databases: Databases;
  carrier: FaultyCarrier;
  reports: FaultyReports | null = null;
  sandbox: SandboxProcess;
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly ended: string[] = [];
  private ports: number[] = [];
  private env: Record<string, string> = {};

  private constructor(
    private readonly dataDir: string,
    private readonly options: WorldOptions,
  ) {
    this.databases = new Databases(dataDir);
  }

  static async start(options: WorldOptions): Promise<World> {
    const world = new World(mkdtempSync(join(tmpdir(), 'calls-faults-')), options);
    try {
      await world.open();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  /** Of the first process. */
  get url(): string {
    return this.urlOf(0);
  }

  /** Stays the same when the process is killed and started again. */
  urlOf(index: number): string {
    return `http://127.0.0.1:${this.ports[index]}`;
  }

  /** kill -9, then another one, as a supervisor would start it: again, when the database is away just then. */
  async crash(index: number): Promise<void> {
    const service = this.services[index];
    if (!service) return;
    this.noteEnd(service);
    const death = { pid: service.process.pid ?? 0, from: Date.now(), to: Infinity };
    this.deaths.push(death);
    await service.kill();
    death.to = Date.now();
    for (let left = STARTS; ; left--) {
      try {
        this.services[index] = await this.startProcess(index);
        return;
      } catch (error) {
        if (left === 1) throw error;
        await sleep(START_PAUSE_MS);
      }
    }
  }

  /** Every message that the carrier has accepted from this number. */
  async sentFrom(number: string): Promise<SentMessage[]> {
    const query = new URLSearchParams({ From: number, PageSize: '1000' });
    const found: SentMessage[] = [];
    let path: string | null = `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json?${query}`;
    while (path !== null) {
      const response: Response = await fetch(this.sandbox.url + path, {
        headers: { authorization: `Basic ${btoa(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`)}` },
      });
      const page = (await response.json()) as { messages: SentMessage[]; next_page_uri: string | null };
      found.push(...page.messages);
      path = page.next_page_uri;
    }
    return found;
  }

  /** Processes that ended without having been killed. */
  endedByThemselves(): string[] {
    for (const service of this.services) this.noteEnd(service);
    return [...this.ended];
  }

  /** What the processes that run complained about, without repetitions; what is no log line is what killed one. */
  complaints(): string[] {
    const lines = this.services.flatMap((service) => service.output().split('\n')).filter(Boolean);
    const told = lines.filter((line) => !/"level":"(info|debug)"/.test(line));
    return [...new Set(told.map((line) => line.replace(OF_ONE_LINE, '')))];
  }

  /** The environment of a command of the operator. */
  commandEnv(): Record<string, string> {
    return { ...this.env, NODE_OPTIONS: '' };
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }

  private async open(): Promise<void> {
    const { random, roles, reportsHeldBackMs, env = {}, sandboxSpeed = 20, preload = [] } = this.options;
    // However this process ends, it leaves no service running.
    process.once('exit', () => {
      for (const service of this.services) service.process.kill('SIGKILL');
    });
    this.stops.push(async () => rmSync(this.dataDir, { recursive: true, force: true }));
    this.stops.push(() => this.databases.stop());
    await this.databases.start();
    for (let count = 0; count < roles.length; count++) this.ports.push(await freePort());
    const credentials = {
      TWILIO_ACCOUNT_SID: ACCOUNT.accountSid,
      TWILIO_AUTH_TOKEN: ACCOUNT.authToken,
      LLM_API_KEY: ACCOUNT.apiKey,
    };
    const sandboxEnv = {
      SANDBOX_SPEED: String(sandboxSpeed),
      SANDBOX_VOICE_URL: `${this.url}/telephony/incoming`,
    };
    this.sandbox = await SandboxProcess.start({ ...credentials, ...sandboxEnv }, this.dataDir);
    this.stops.push(() => this.sandbox.stop());
    this.carrier = new FaultyCarrier(this.sandbox.url, random);
    const carrierUrl = await this.carrier.start();
    this.stops.push(() => this.carrier.close());
    const imports = preload.map((module) => `--import ${moduleUrl(module)}`).join(' ');
    this.env = {
      ...credentials,
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.databases.postgresUrl,
      REDIS_URL: this.databases.redisUrl,
      PUBLIC_URL: reportsHeldBackMs === undefined ? this.url : await this.openReports(reportsHeldBackMs),
      TWILIO_API_URL: carrierUrl,
      LLM_BASE_URL: `${this.sandbox.url}/v1`,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      ...(imports ? { NODE_OPTIONS: imports } : {}),
      ...env,
    };
    process.env.E2E_DATABASE_URL = this.databases.postgresUrl;
    // Its idle connections break with the database's restarts.
    database().on('error', () => undefined);
    // The first one brings the database up to date.
    this.services.push(await this.startProcess(0));
    const others = roles.slice(1).map((_, index) => this.startProcess(index + 1));
    this.services.push(...(await Promise.all(others)));
  }

  private async openReports(heldBackMs: number): Promise<string> {
    const held = (sid: string): number => (this.carrier.hidden.has(sid) ? heldBackMs : 0);
    this.reports = new FaultyReports(
      this.options.random,
      () => this.ports.map((_, i) => this.urlOf(i)),
      held,
    );
    this.stops.push(async () => this.reports?.close());
    return this.reports.start();
  }

  private startProcess(index: number): Promise<ServiceProcess> {
    const ROLE = this.options.roles[index] ?? 'all';
    return startService({ ...this.env, ROLE, PORT: String(this.ports[index]) });
  }

  private noteEnd({ url, process: { exitCode }, output }: ServiceProcess): void {
    if (exitCode === null) return;
    this.ended.push(`${url} ended by itself with ${exitCode}: ${output().split('\n').slice(-5).join(' ')}`);
  }
}

/** Of the built module. */
const moduleUrl = (module: string): string => pathToFileURL(join('dist', 'faults', `${module}.js`)).href;
