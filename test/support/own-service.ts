import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database, databaseUrl } from './database.js';
import { until } from './until.js';
import { startService, type ServiceProcess } from './service.js';

export interface Effort {
  /** CPU time of the longest turn of the event loop, see loop-probe.mjs: no other request was answered meanwhile. */
  loopMs: number;
  /** Peak of the resident memory above that before. */
  grownMb: number;
}

const MEGABYTE = 1024 * 1024;
const probeFile = (dataDir: string): string => join(dataDir, 'longest-turn');

/** A process for measurements that other specs must not disturb; its database is its own too. */
export class OwnService {
  private constructor(
    readonly db: pg.Pool,
    private readonly service: ServiceProcess,
    private readonly dataDir: string,
  ) {}

  static async start(): Promise<OwnService> {
    const name = `own_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl());
    url.pathname = `/${name}`;
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-own-'));
    const service = await startService({
      DATABASE_URL: url.href,
      DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=${pathToFileURL(resolve('test/support/loop-probe.mjs')).href}`,
      LOOP_PROBE_FILE: probeFile(dataDir),
    });
    return new OwnService(new pg.Pool({ connectionString: url.href, max: 2 }), service, dataDir);
  }

  anAccount(plan: string): Promise<TestAccount> {
    return anAccount({ plan, service: { db: this.db, root: `${this.service.url}/api` } });
  }

  /** Bytes of an answer; it is read no further than `limit`. */
  async read(path: string, token: string, limit = Infinity): Promise<{ status: number; bytes: number }> {
    const { status, body } = await fetch(`${this.service.url}/api${path}`, {
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
    const { pid } = this.service.process;
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = this.memory('VmRSS');
    await this.longestTurn();
    await work();
    return { loopMs: await this.longestTurn(), grownMb: this.memory('VmHWM') - before };
  }

  async stop(): Promise<void> {
    await this.db.end();
    await this.service.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Since the last time that it was asked for. */
  private async longestTurn(): Promise<number> {
    const file = probeFile(this.dataDir);
    rmSync(file, { force: true });
    this.service.process.kill('SIGUSR2');
    await until(async () => existsSync(file));
    return Number(readFileSync(file, 'utf8'));
  }

  private memory(field: 'VmRSS' | 'VmHWM'): number {
    const text = readFileSync(`/proc/${this.service.process.pid}/status`, 'utf8');
    return (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024) / MEGABYTE;
  }
}
