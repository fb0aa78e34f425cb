import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { OwnService } from './own-service.js';
import { until } from './until.js';

export interface Effort {
  /** CPU time of the longest event loop iteration in ms; see loop-probe.mjs. */
  loopMs: number;
  /** The same of all iterations. */
  cpuMs: number;
  /** Increase of the resident memory to its peak. */
  grownMb: number;
}

const MEGABYTE = 1024 * 1024;

/** An `OwnService` that measures how long its event loop is blocked and how much memory it uses. */
export class MeasuredService {
  private constructor(
    private readonly own: OwnService,
    private readonly probeDir: string,
  ) {}

  static async start(): Promise<MeasuredService> {
    const probeDir = mkdtempSync(join(tmpdir(), 'calls-probe-'));
    const own = await OwnService.start(undefined, {
      NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/loop-probe.mjs')).href}`,
      LOOP_PROBE_FILE: join(probeDir, 'longest-turn'),
    });
    return new MeasuredService(own, probeDir);
  }

  get db(): pg.Pool {
    return this.own.db;
  }

  anAccount(plan: string): Promise<TestAccount> {
    return anAccount({ plan, service: { db: this.db, root: `${this.own.service.url}/api` } });
  }

  /** Bytes of an answer, at most `limit`. */
  async read(path: string, token: string, limit = Infinity): Promise<{ status: number; bytes: number }> {
    const { status, body } = await fetch(`${this.own.service.url}/api${path}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    });
    let bytes = 0;
    for await (const chunk of body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes >= limit) break;
    }
    return { status, bytes };
  }

  async measure(work: () => Promise<unknown>): Promise<Effort> {
    const { pid } = this.own.service.process;
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = this.memory('VmRSS');
    await this.turns();
    await work();
    return { ...(await this.turns()), grownMb: this.memory('VmHWM') - before };
  }

  async stop(): Promise<void> {
    await this.own.stop();
    rmSync(this.probeDir, { recursive: true, force: true });
  }

  /** Since the previous call. */
  private async turns(): Promise<Pick<Effort, 'loopMs' | 'cpuMs'>> {
    const file = join(this.probeDir, 'longest-turn');
    rmSync(file, { force: true });
    this.own.service.process.kill('SIGUSR2');
    await until(async () => existsSync(file));
    return JSON.parse(readFileSync(file, 'utf8')) as Pick<Effort, 'loopMs' | 'cpuMs'>;
  }

  private memory(field: 'VmRSS' | 'VmHWM'): number {
    const text = readFileSync(`/proc/${this.own.service.process.pid}/status`, 'utf8');
    return (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024) / MEGABYTE;
  }
}
