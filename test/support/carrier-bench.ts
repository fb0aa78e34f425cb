import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { database, databaseUrl } from './database.js';
import { freePort } from '#src/embedded/free-port.js';
import { startService, type ServiceProcess } from './service.js';
import { until } from './until.js';

export interface NetworkEvent {
  kind: string;
  from: string;
  to: string;
}

const ACCOUNT_SID = `AC${'2'.repeat(32)}`;

/** A service whose carrier's secret the spec knows, so that it can speak as the carrier. */
export class CarrierBench {
  private constructor(
    readonly db: pg.Pool,
    readonly postgresUrl: string,
    private readonly service: ServiceProcess,
    private readonly sandbox: ChildProcess,
    private readonly sandboxUrl: string,
    private readonly authToken: string,
    private readonly dataDir: string,
  ) {}

  /** @param proxy stands between service and carrier: gets the carrier's address, gives its own */
  static async start(proxy?: (carrierUrl: string) => Promise<string>): Promise<CarrierBench> {
    const dataDir = mkdtempSync(join(tmpdir(), 'calls-carrier-'));
    const name = `carrier_${randomBytes(6).toString('hex')}`;
    await database().query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl());
    url.pathname = `/${name}`;
    const sandboxPort = await freePort();
    const authToken = randomBytes(16).toString('hex');
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: url.href,
      TWILIO_ACCOUNT_SID: ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_API_URL: `http://127.0.0.1:${sandboxPort}`,
      LLM_BASE_URL: `http://127.0.0.1:${sandboxPort}/v1`,
      LLM_API_KEY: authToken,
    };
    const sandbox = spawn(process.execPath, ['dist/sandbox/main.js'], {
      env: { ...env, PATH: process.env.PATH, SANDBOX_PORT: String(sandboxPort), SANDBOX_SPEED: '20' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(sandbox.stdout, 'data');
    const apiUrl = (await proxy?.(env.TWILIO_API_URL)) ?? env.TWILIO_API_URL;
    const service = await startService({ ...env, TWILIO_API_URL: apiUrl });
    const db = new pg.Pool({ connectionString: url.href, max: 2, allowExitOnIdle: true });
    return new CarrierBench(db, url.href, service, sandbox, env.TWILIO_API_URL, authToken, dataDir);
  }

  /** For the factories. */
  get root(): string {
    return `${this.service.url}/api`;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.sandbox.kill('SIGTERM');
    await this.db.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** A signed callback. @returns the answer document, if any */
  async says(path: string, form: Record<string, string>): Promise<string> {
    const url = `${this.service.url}/telephony/${path}`;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilio.getExpectedTwilioSignature(this.authToken, url, form),
      },
      body: new URLSearchParams(form).toString(),
    });
    if (!response.ok)
      throw new Error(`the callback was refused: ${response.status} ${await response.text()}`);
    return response.text();
  }

  /** Somebody calls a number; nobody is on the line, so the call runs until the carrier says that it is over. */
  incoming(to: string, from: string, sid = `CA${randomBytes(16).toString('hex')}`): Promise<string> {
    return this.says('incoming', { CallSid: sid, From: from, To: to, CallStatus: 'ringing' });
  }

  /** What names a call at the carrier, once the carrier has taken it. */
  callAtCarrier(id: number): Promise<{ token: string; sid: string }> {
    return until(async () => {
      const { rows } = await this.db.query<{ token: string; sid: string | null }>(
        'SELECT token, carrier_sid AS sid FROM calls WHERE id = $1',
        [id],
      );
      const { token = '', sid = null } = rows[0] ?? {};
      return sid === null ? null : { token, sid };
    });
  }

  /** The person hangs up; the carrier reports it. */
  async hangUp(id: number): Promise<void> {
    const { sid } = await this.callAtCarrier(id);
    const account = `/2010-04-01/Accounts/${ACCOUNT_SID}`;
    const response = await fetch(`${this.sandboxUrl}${account}/Calls/${sid}.json`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${ACCOUNT_SID}:${this.authToken}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'Status=completed',
    });
    if (!response.ok) throw new Error(`the call was not ended: ${response.status} ${await response.text()}`);
  }

  /** What happened on the network, oldest first. */
  async journal(): Promise<NetworkEvent[]> {
    return (await (await fetch(`${this.sandboxUrl}/journal`)).json()) as NetworkEvent[];
  }
}
