import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { WebSocket } from 'ws';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { database, databaseUrl } from './database.js';
import { freePort } from '#src/embedded/free-port.js';
import { startService, WITHOUT_DOCS, type ServiceProcess } from './service.js';
import { until } from './until.js';

export interface NetworkEvent {
  kind: string;
  sid: string;
  from: string;
  to: string;
  /** Of `callback`: what was told, e.g. `amd:human`. */
  event?: string;
  /** Of `speech`: who spoke, and what the other side heard of it, up to a whole word. */
  who?: 'assistant' | 'callee';
  heard?: string;
  /** Of `download` and `recording-deletion`: the recording. */
  recording?: string;
  /** Of `download`: all of it was sent. */
  whole?: boolean;
}

const ACCOUNT_SID = `AC${'2'.repeat(32)}`;

/** A service with a known carrier secret, so that a test can send the carrier's callbacks. */
export class CarrierBench {
  private constructor(
    readonly db: pg.Pool,
    readonly postgresUrl: string,
    private service: ServiceProcess,
    private env: Record<string, string>,
    private readonly sandbox: ChildProcess,
    private readonly sandboxUrl: string,
    private readonly authToken: string,
    private readonly dataDir: string,
  ) {}

  /**
   * @param proxy starts a proxy for the carrier's address and returns its own
   * @param speed of the callees; what is heard of speech that is cut shows at 1, which the service assumes
   */
  static async start(
    proxy?: (carrierUrl: string) => Promise<string>,
    speed = 80,
    settings: Record<string, string> = {},
  ): Promise<CarrierBench> {
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
      CARRIER_CALLS_PER_SECOND: '1000',
      ...WITHOUT_DOCS,
    };
    const sandbox = spawn(process.execPath, ['dist/sandbox/main.js'], {
      env: {
        ...env,
        PATH: process.env.PATH,
        SANDBOX_PORT: String(sandboxPort),
        SANDBOX_SPEED: String(speed),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(sandbox.stdout, 'data');
    const apiUrl = (await proxy?.(env.TWILIO_API_URL)) ?? env.TWILIO_API_URL;
    const serviceEnv = { ...env, PORT: String(await freePort()), TWILIO_API_URL: apiUrl, ...settings };
    const service = await startService(serviceEnv);
    await send('PUT', `${env.TWILIO_API_URL}/config`, {
      voice_url: `${service.url}/telephony/incoming`,
      status_callback: `${service.url}/telephony/status`,
    });
    const db = new pg.Pool({ connectionString: url.href, max: 2, allowExitOnIdle: true });
    return new CarrierBench(
      db,
      url.href,
      service,
      serviceEnv,
      sandbox,
      env.TWILIO_API_URL,
      authToken,
      dataDir,
    );
  }

  /** Options for the factories. */
  get root(): string {
    return `${this.service.url}/api`;
  }

  /** Settings of an operator's command. */
  get commandEnv(): Record<string, string> {
    return { ...this.env, PUBLIC_URL: this.service.url };
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.sandbox.kill('SIGTERM');
    await this.db.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** SIGTERM. @returns the exit code, when the process has ended */
  terminate(): Promise<number | null> {
    this.service.process.kill('SIGTERM');
    return this.service.exited;
  }

  /**
   * @param how `stop` as an operator stops a service, `kill` as its machine does
   * @param settings that differ from now on
   * @param away what happens while nobody answers
   */
  async restart(
    how: 'stop' | 'kill',
    settings: Record<string, string> = {},
    away: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    this.env = { ...this.env, ...settings };
    await this.service[how]();
    await away();
    this.service = await startService(this.env);
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

  /** The carrier's relay socket of a call, open. */
  async connects(token: string): Promise<WebSocket> {
    const url = `${this.service.url.replace(/^http/, 'ws')}/telephony/relay/${token}`;
    const signature = twilio.getExpectedTwilioSignature(this.authToken, url, {});
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature } });
    await once(socket, 'open');
    return socket;
  }

  /** An inbound call without audio: it runs until the carrier reports its end. */
  incoming(to: string, from: string, sid = `CA${randomBytes(16).toString('hex')}`): Promise<string> {
    return this.says('incoming', { CallSid: sid, From: from, To: to, CallStatus: 'ringing' });
  }

  /** A call from outside, with a callee of the sandbox, e.g. `0022`. */
  async receives(to: string, from: string, persona: string): Promise<void> {
    await send('POST', `${this.sandboxUrl}/inbound`, { to, from, persona });
  }

  /** The call's id at the carrier, when it has one. */
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

  /** Reports that the person has hung up. */
  async hangUp(id: number): Promise<void> {
    const { sid } = await this.callAtCarrier(id);
    await this.atCarrier(`/Calls/${sid}.json`, { Status: 'completed' });
  }

  /** A POST to the carrier, as a person does it at its console. */
  async atCarrier(path: string, form: Record<string, string>): Promise<void> {
    const response = await fetch(`${this.sandboxUrl}/2010-04-01/Accounts/${ACCOUNT_SID}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${ACCOUNT_SID}:${this.authToken}`).toString('base64')}`,
      },
      body: new URLSearchParams(form),
    });
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
  }

  /** A recording where the carrier keeps it, whatever goes wrong with its downloads. */
  stored(recordingSid: string): Promise<Response> {
    return fetch(`${this.sandboxUrl}/recording-storage/${recordingSid}`);
  }

  /** Entries of the journal, oldest first. */
  async journal(): Promise<NetworkEvent[]> {
    return (await (await fetch(`${this.sandboxUrl}/journal`)).json()) as NetworkEvent[];
  }
}

async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
