import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { database } from '../../../test/support/database.js';
import { freePort } from '#src/embedded/free-port.js';
import { startService, type ServiceProcess } from '../../harness/server-process.js';
import { Balancer } from './balancer.js';
import { Databases, type Outage } from './databases.js';
import { FaultyCarrier } from './faulty-carrier.js';
import { FaultyReports } from './faulty-reports.js';
import type { Random } from './random.js';
import { CARRIER, SandboxProcess } from '../../harness/sandbox-process.js';

const STARTS = 10;
const START_PAUSE_MS = 1_000;

export interface ClusterOptions {
  random: Random;
  /** One process per role; the carrier's callbacks go to the first one. */
  roles: readonly ('all' | 'api' | 'worker')[];
  /** Routes delivery reports through a faulty proxy; delay of those about messages that lists omit, in ms. */
  reportsHeldBackMs?: number;
  /** A balancer before the processes: `first` sends everything to the first that runs, `spread` to each in turn. */
  balanced?: 'first' | 'spread';
  env?: Record<string, string>;
  /** `SANDBOX_SPEED`. */
  sandboxSpeed?: number;
  /** Modules in `faults/` that every process loads with `--import`. */
  preload?: readonly string[];
}

/** A message in the carrier's list. */
export interface SentMessage {
  sid: string;
  from: string;
  to: string;
  body: string;
}

/** A killed process, from the signal to its end. */
export interface Kill extends Outage {
  pid: number;
}

/** Parts of log lines that differ between repetitions of one error. */
const VARIABLE_PARTS =
  /"time":"[^"]*",|"(requestId|callId|job|rowId)":("[^"]*"|\d+),|,"detail":".*"(?=\})|\(request [^)]*\)/g;

/** One or more processes of the service with databases and a carrier, each of which can fail. */
export class Cluster {
  readonly deaths: Kill[] = [];
  /** Time of the last kill without a restart. */
  killedAt: number | null = null;
  readonly services: ServiceProcess[] = [];
  readonly databases: Databases;
  carrier: FaultyCarrier;
  reports: FaultyReports | null = null;
  balancer: Balancer | null = null;
  /** `PUBLIC_URL` of the processes. */
  publicUrl = '';
  sandbox: SandboxProcess;
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly ended: string[] = [];
  private readonly terminated = new Set<number>();
  private ports: number[] = [];
  private env: Record<string, string> = {};

  private constructor(
    private readonly dataDir: string,
    private readonly options: ClusterOptions,
  ) {
    this.databases = new Databases(dataDir);
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(mkdtempSync(join(tmpdir(), 'calls-faults-')), options);
    try {
      await cluster.open();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Of the service's processes and of the sandbox. */
  get pids(): number[] {
    return [this.sandbox, ...this.services].map(({ pid }) => pid);
  }

  /** URL of the first process. */
  get url(): string {
    return this.urlOf(0);
  }

  /** Stays the same when the process is restarted. */
  urlOf(index: number): string {
    return `http://127.0.0.1:${this.ports[index]}`;
  }

  /** kill -9 and restart; repeats the start while the database is down. */
  async crash(index: number): Promise<void> {
    const service = this.services[index];
    if (!service) return;
    this.noteEnd(service);
    const death = { pid: service.pid, from: Date.now(), to: Infinity };
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

  /** Index of a process that killed itself; null without one. */
  fallen(): number | null {
    const index = this.services.findIndex((service) => service.process.signalCode === 'SIGKILL');
    return index < 0 ? null : index;
  }

  /** kill -9 without a restart. */
  async kill(index: number): Promise<void> {
    this.killedAt = Date.now();
    await this.services[index]?.kill();
  }

  /** SIGTERM without a restart. @returns the milliseconds until its end */
  async terminate(index: number): Promise<number> {
    const from = Date.now();
    this.balancer?.withdraw(index);
    await this.services[index]?.stop();
    this.terminated.add(index);
    return Date.now() - from;
  }

  /** Starts a process that was terminated. */
  async startAgain(index: number): Promise<void> {
    this.services[index] = await this.startProcess(index);
    this.terminated.delete(index);
  }

  /** All messages that the carrier accepted from this number. */
  async sentFrom(number: string): Promise<SentMessage[]> {
    const query = new URLSearchParams({ From: number, PageSize: '1000' });
    const found: SentMessage[] = [];
    let path: string | null = `/2010-04-01/Accounts/${CARRIER.accountSid}/Messages.json?${query}`;
    while (path !== null) {
      const response: Response = await fetch(this.sandbox.url + path, {
        headers: { authorization: `Basic ${btoa(`${CARRIER.accountSid}:${CARRIER.authToken}`)}` },
      });
      const page = (await response.json()) as { messages: SentMessage[]; next_page_uri: string | null };
      found.push(...page.messages);
      path = page.next_page_uri;
    }
    return found;
  }

  /** Processes that ended without a signal. */
  endedByThemselves(): string[] {
    for (const [index, service] of this.services.entries()) {
      if (!this.terminated.has(index)) this.noteEnd(service);
    }
    return [...this.ended];
  }

  /** Warnings, errors and output other than log lines, without repetitions. */
  logProblems(): string[] {
    const lines = this.services.flatMap((service) => service.output().split('\n')).filter(Boolean);
    const problems = lines.filter((line) => !/"level":"(info|debug)"/.test(line));
    return [...new Set(problems.map((line) => line.replace(VARIABLE_PARTS, '')))];
  }

  /** The environment for CLI commands. */
  commandEnv(): Record<string, string> {
    return { ...this.env, NODE_OPTIONS: '' };
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }

  private async open(): Promise<void> {
    const { random, roles, env = {}, sandboxSpeed = 80, preload = [] } = this.options;
    this.stops.push(async () => rmSync(this.dataDir, { recursive: true, force: true }));
    this.stops.push(() => this.databases.stop());
    await this.databases.start();
    for (let count = 0; count < roles.length; count++) this.ports.push(await freePort());
    const sandboxEnv = {
      SANDBOX_SPEED: String(sandboxSpeed),
      SANDBOX_VOICE_URL: `${this.url}/telephony/incoming`,
    };
    this.sandbox = await SandboxProcess.start(this.dataDir, sandboxEnv);
    this.stops.push(() => this.sandbox.stop());
    this.carrier = new FaultyCarrier(this.sandbox.url, random);
    const carrierUrl = await this.carrier.start();
    this.stops.push(() => this.carrier.close());
    this.publicUrl = await this.openPublicUrl();
    const imports = preload.map((module) => `--import ${moduleUrl(module)}`).join(' ');
    this.env = {
      ...this.sandbox.serviceEnv,
      DATA_DIR: this.dataDir,
      DATABASE_URL: this.databases.postgresUrl,
      REDIS_URL: this.databases.redisUrl,
      PUBLIC_URL: this.publicUrl,
      TWILIO_API_URL: carrierUrl,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      ...(imports ? { NODE_OPTIONS: imports } : {}),
      ...env,
    };
    process.env.E2E_DATABASE_URL = this.databases.postgresUrl;
    // Restarts of the database break idle connections.
    database().on('error', () => undefined);
    // The first process runs the migrations.
    this.services.push(await this.startProcess(0));
    const others = roles.slice(1).map((_, index) => this.startProcess(index + 1));
    this.services.push(...(await Promise.all(others)));
  }

  private async openPublicUrl(): Promise<string> {
    const { reportsHeldBackMs, balanced } = this.options;
    if (balanced) {
      this.balancer = new Balancer(this.ports, balanced === 'spread');
      this.stops.push(async () => this.balancer?.close());
      return this.balancer.start();
    }
    return reportsHeldBackMs === undefined ? this.url : this.openReports(reportsHeldBackMs);
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

/** URL of the compiled module. */
const moduleUrl = (module: string): string =>
  pathToFileURL(join('dist', 'tooling', 'faults', `${module}.js`)).href;
