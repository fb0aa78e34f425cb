import pg from 'pg';
import { CpuMeter, CpuTreeMeter } from '../../faults/support/cpu-meter.js';
import type { ServiceProcess } from '../../harness/server-process.js';
import type { BenchDatabase } from '../support/database.js';

/** Notifications: the payloads are the pass's time and a `PassWork`. */
export const PASS_ASKED = 'bench_pass';
export const PASS_DONE = 'bench_passed';

export interface PassWork {
  statements: number;
  kinds: Record<string, KindWork>;
}

export interface KindWork {
  rows: number;
  /** Also those that found nothing. */
  batches: number;
  ms: number;
}

export interface Passed extends PassWork {
  seconds: number;
  /** CPU time of the service in ms, with other requests and jobs at the time. */
  cpuMs: number;
  /** Of the database, with autovacuum. */
  databaseMs: number;
}

/** Passes of a service with `pass-on-request.js`. */
export class Passes {
  private constructor(
    private readonly client: pg.Client,
    private readonly service: CpuMeter,
    private readonly database: CpuTreeMeter,
  ) {}

  static async open({ url, serverPid }: BenchDatabase, { pid }: ServiceProcess): Promise<Passes> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`LISTEN ${PASS_DONE}`);
    return new Passes(client, new CpuMeter(pid), new CpuTreeMeter(await serverPid()));
  }

  /** @param now the time from which the pass counts days */
  async run(now: Date): Promise<Passed> {
    const began = performance.now();
    const [cpu, database] = [this.service.read(), this.database.read()];
    const done = new Promise<string>((resolve) =>
      this.client.once('notification', ({ payload = '' }) => resolve(payload)),
    );
    await this.client.query('SELECT pg_notify($1, $2)', [PASS_ASKED, now.toISOString()]);
    const work = JSON.parse(await done) as PassWork;
    return {
      ...work,
      seconds: (performance.now() - began) / 1000,
      cpuMs: this.service.read() - cpu,
      databaseMs: this.database.read() - database,
    };
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
