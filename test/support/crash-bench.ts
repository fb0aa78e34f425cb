import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { database, databaseUrl } from './database.js';
import { freePort } from '#src/embedded/free-port.js';
import { SandboxProcess } from '../../tooling/harness/sandbox-process.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from './service.js';
import { until } from './until.js';

export interface Lead {
  account: TestAccount;
  campaignId: number;
  phoneNumber: string;
}

export interface FinishedCall {
  id: number;
  status: string;
  ended_reason: string | null;
  assistant_phone_number: string;
  webhook_response: { status_code?: number };
}

const CALLEE = '+15005550023';
/** Any number: the key of the lock that the trigger waits for. */
const LOCK = 815;
/** The statements that a trigger in the bench's database can block. */
const WAITING = `pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

/** A service that can be killed, with its own database, and a carrier in another process. */
export class CrashBench {
  private constructor(
    private readonly dataDir: string,
    private readonly db: pg.Pool,
    private readonly holder: pg.Client,
    private readonly sandbox: SandboxProcess,
    private readonly env: Record<string, string>,
    private readonly webhookUrl: string,
    private service: ServiceProcess,
    private readonly name: string,
  ) {}

  /** Path of this bench's webhooks at the receiver. */
  get webhookPath(): string {
    return `/${this.name}`;
  }

  static async start(webhookUrl: string): Promise<CrashBench> {
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-crash-'));
    const name = `crash_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl());
    url.pathname = `/${name}`;
    const sandbox = await SandboxProcess.start(dataDir);
    const env = {
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      DATABASE_URL: url.href,
      ...sandbox.serviceEnv,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      RING_TIMEOUT_SECONDS: '5',
      ...WITHOUT_DOCS,
    };
    const service = await startService(env);
    const db = new pg.Pool({ connectionString: url.href, max: 4, allowExitOnIdle: true });
    // Its idle connections may be closed, too.
    db.on('error', () => undefined);
    const holder = new pg.Client({ connectionString: url.href });
    await holder.connect();
    return new CrashBench(dataDir, db, holder, sandbox, env, webhookUrl, service, name);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.sandbox.stop();
    await this.holder.end();
    await this.db.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Blocks the statement when it accesses the table. @returns unblocks it and all later ones */
  async holdAt(table: string, when: string, condition: string): Promise<() => Promise<void>> {
    await this.holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await this.holder.query(`
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN COALESCE(NEW, OLD); END $$;
      CREATE TRIGGER hold ${when} ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION hold();`);
    return async () => {
      // Statements of the dead process must not complete now.
      await this.holder.query(`SELECT pg_terminate_backend(pid) FROM ${WAITING}`);
      await this.holder.query('SELECT pg_advisory_unlock_all()');
      await this.holder.query('DROP FUNCTION hold CASCADE');
    };
  }

  async callOneLead(): Promise<Lead> {
    const root = `${this.service.url}/api`;
    const account = await anAccount({ service: { db: this.db, root } });
    const { client } = account;
    const assistant = await anAssistant(account, {
      timezone: 'UTC',
      is_webhook_active: true,
      webhook_url: this.webhookUrl + this.webhookPath,
    });
    const campaign = await client.post<{ data: { id: number } }>('/user/campaigns', {
      name: 'Crash',
      assistant_id: assistant,
    });
    const campaignId = campaign.body.data.id;
    await client.post('/user/lead', { campaign_id: campaignId, phone_number: CALLEE });
    await client.post('/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' });
    return { account, campaignId, phoneNumber: CALLEE };
  }

  async killWhenHeld(): Promise<void> {
    await until(async () => {
      const { rowCount } = await this.db.query(`SELECT 1 FROM ${WAITING}`);
      return rowCount !== 0;
    });
    await this.service.kill();
  }

  async restart(): Promise<void> {
    this.service = await startService(this.env);
  }

  /** Waits until the lead is completed and its webhook is delivered. @returns the lead's calls */
  async finishedCalls({ account, campaignId }: Lead): Promise<FinishedCall[] | null> {
    const { body: leads } = await account.client.get<{ status: string }[]>('/user/leads');
    if (leads[0]?.status !== 'completed') return null;
    const { body } = await account.client.get<{ data: FinishedCall[] }>(
      `/user/calls?campaign_id=${campaignId}`,
    );
    const told = body.data.some(({ webhook_response }) => webhook_response.status_code === 200);
    return told && body.data.every(({ status }) => FINAL.includes(status)) ? body.data : null;
  }

  /** Number of dials from the account's number. */
  async dials({ account }: Lead): Promise<number> {
    const { phone_number } = account.phoneNumber;
    return this.sandbox.journal().filter(({ kind, from }) => kind === 'dial' && from === phone_number).length;
  }

  async charges(callId: number): Promise<number> {
    const { rows } = await this.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ledger_entries WHERE kind = 'call' AND reference = $1`,
      [String(callId)],
    );
    return rows[0]?.n ?? 0;
  }
}
