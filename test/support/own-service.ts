import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database, databaseUrl } from './database.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from './service.js';

/** A service process with its own database, beside the shared service. */
export class OwnService {
  private constructor(
    readonly url: string,
    readonly db: pg.Pool,
    private readonly env: Record<string, string>,
    private process: ServiceProcess,
  ) {}

  /** @param through returns the database URL for the service, e.g. that of a proxy */
  static async start(
    through: (url: string) => Promise<string> = async (url) => url,
    env: Record<string, string> = {},
  ): Promise<OwnService> {
    const name = `own_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl());
    url.pathname = `/${name}`;
    const db = new pg.Pool({ connectionString: url.href, max: 4, allowExitOnIdle: true });
    db.on('error', () => undefined);
    const all = {
      DATABASE_URL: await through(url.href),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'calls-own-')),
      EMBEDDED_REDIS: 'false',
      ...WITHOUT_DOCS,
      ...env,
    };
    return new OwnService(url.href, db, all, await startService(all));
  }

  get service(): ServiceProcess {
    return this.process;
  }

  account(): Promise<TestAccount> {
    return anAccount({ service: { db: this.db, root: `${this.process.url}/api` } });
  }

  /** Kills it first. @param env that this and further starts have besides */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.process.kill();
    Object.assign(this.env, env);
    this.process = await startService({ ...this.env, PORT: new URL(this.process.url).port });
  }

  /** Warnings, errors and messages about the database after the position `from` of the output. */
  notable(from: number): string[] {
    return this.process
      .output()
      .slice(from)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; message: string })
      .filter(({ level, message }) => level !== 'info' || message.includes('database'))
      .map(({ message }) => message);
  }

  /** Another transaction that keeps its locks until `release` is called. */
  async holding(sql: string, values: unknown[]): Promise<{ release(): Promise<void> }> {
    const client = await this.db.connect();
    await client.query('BEGIN');
    await client.query(sql, values);
    return {
      release: async () => {
        await client.query('ROLLBACK');
        client.release();
      },
    };
  }

  /** Number of statements of the service that wait for a lock. */
  async waitingForLocks(): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'calls-all-%' AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.n ?? 0;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.db.end();
    rmSync(this.env.DATA_DIR ?? '', { recursive: true, force: true });
  }
}

/** Leads by SQL, newest last. @returns the id of the first */
export async function fillLeads(
  db: pg.Pool,
  { id }: { id: number },
  campaignId: number,
  count: number,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `WITH filled AS (
       INSERT INTO leads (account_id, campaign_id, phone_number, variables)
       SELECT $1, $2, '+1' || 2130000000 + i, jsonb_build_object('note', repeat('x', 2000))
         FROM generate_series(1, $3::int) i RETURNING id)
     SELECT min(id) AS id FROM filled`,
    [id, campaignId, count],
  );
  return rows[0]?.id ?? 0;
}
