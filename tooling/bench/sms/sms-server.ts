import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CpuTreeMeter } from '../../faults/support/cpu-meter.js';
import { askForReport } from '../support/report-on-request.js';
import { startServer, type ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';
import { load, type Shot } from '../support/load.js';
import type { Work } from './work.js';

/** A server's cost of one SMS, including its delivery reports. */
export interface SmsCost {
  perSecond: number;
  statements: number;
  /** BEGIN and COMMIT. */
  frames: number;
  cpuMs: number;
  /** CPU time of the database. */
  databaseMs: number;
}

/** Delivery reports of the sandbox arrive within this time after a message. */
const REPORTS_MS = 1_000;

/** A server for SMS, in its own process. */
export class SmsServer {
  private constructor(
    private readonly child: ServiceProcess,
    private readonly file: string,
    private readonly database: CpuTreeMeter,
  ) {}

  static async start(
    { url, dataDir, serverPid }: BenchDatabase,
    name: string,
    entry: string[],
    env: Record<string, string>,
  ): Promise<SmsServer> {
    const file = join(dataDir, `${name}.json`);
    const counter = new URL('./count-statements.js', import.meta.url).href;
    const child = await startServer(['--import', counter, ...entry], {
      env: {
        DATABASE_URL: url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '0',
        BENCH_REPORT: file,
        ...env,
      },
      echo: true,
    });
    return new SmsServer(child, file, new CpuTreeMeter(await serverPid()));
  }

  /** Sends messages for the pace's seconds, `concurrency` at a time. */
  async send(next: () => Shot, concurrency: number): Promise<SmsCost> {
    const before = await askForReport<Work>(this.child.pid, this.file);
    const databaseBefore = this.database.read();
    let sent = 0;
    const counted = (): Shot => {
      sent++;
      return next();
    };
    const perSecond = await load(this.child.url, counted, { concurrency });
    await sleep(REPORTS_MS);
    const after = await askForReport<Work>(this.child.pid, this.file);
    return {
      perSecond,
      statements: (after.statements - before.statements) / sent,
      frames: (after.frames - before.frames) / sent,
      cpuMs: (after.cpuMs - before.cpuMs) / sent,
      databaseMs: (this.database.read() - databaseBefore) / sent,
    };
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
