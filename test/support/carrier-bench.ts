import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { WebSocket } from 'ws';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { ACCOUNT_SID, send, startCarrierProcesses, type CarrierProcesses } from './carrier-processes.js';
import { databaseUrl } from './database.js';
import { startService } from './service.js';
import { until } from './until.js';

export interface NetworkEvent {
  at: string;
  kind: string;
  sid: string;
  from: string;
  to: string;
  /** Of `callback`: what was reported, e.g. `amd:human`. */
  event?: string;
  /** Of `speech`: who spoke, and what the other side heard of it, up to a whole word. */
  who?: 'assistant' | 'callee';
  heard?: string;
  /** Of `download` and `recording-deletion`: the recording. */
  recording?: string;
  /** Of `download`: all of it was sent. */
  whole?: boolean;
}

/** After its first request. */
const CARRIER_RETRIES = 5;

/** A service with a known carrier secret, so that a test can send the carrier's callbacks. */
export class CarrierBench {
  readonly db: pg.Pool;
  readonly postgresUrl: string;
  private readonly sandboxUrl: string;
  private readonly authToken: string;
  private readonly serviceUrl: string;
  private env: Record<string, string>;

  private constructor(private readonly processes: CarrierProcesses) {
    this.postgresUrl = processes.postgresUrl;
    this.sandboxUrl = processes.sandboxUrl;
    this.authToken = processes.authToken;
    this.serviceUrl = processes.serviceUrl;
    this.env = processes.env;
    this.db = new pg.Pool({ connectionString: this.postgresUrl, max: 2, allowExitOnIdle: true });
  }

  /**
   * @param proxy starts a proxy for the carrier's address and returns its own
   * @param speed of the callees; what is heard of speech that is cut shows at 1, which the service assumes
   */
  static async start(
    proxy: (carrierUrl: string) => Promise<string> = async (url) => url,
    speed = 80,
    settings: Record<string, string> = {},
  ): Promise<CarrierBench> {
    return new CarrierBench(await startCarrierProcesses(databaseUrl(), proxy, speed, settings));
  }

  /** Options for the factories. */
  get root(): string {
    return `${this.serviceUrl}/api`;
  }

  /** Settings of an operator's command. */
  get commandEnv(): Record<string, string> {
    return { ...this.env, PUBLIC_URL: this.serviceUrl };
  }

  async stop(): Promise<void> {
    await this.processes.service.stop();
    this.processes.stopCarrier();
    await this.db.end();
  }

  /** SIGTERM. @returns the exit code, when the process has ended */
  terminate(): Promise<number | null> {
    this.processes.service.process.kill('SIGTERM');
    return this.processes.service.exited;
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
    await this.processes.service[how]();
    await away();
    this.processes.service = await startService(this.env);
  }

  /** A signed callback. @returns the answer document, if any */
  async says(path: string, form: Record<string, string>): Promise<string> {
    return textOf(await this.request(path, form));
  }

  private request(path: string, form: Record<string, string>): Promise<Response> {
    const url = `${this.serviceUrl}/telephony/${path}`;
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilio.getExpectedTwilioSignature(this.authToken, url, form),
      },
      body: new URLSearchParams(form).toString(),
    });
  }

  /** The carrier's relay socket of a call, open. */
  async connects(token: string): Promise<WebSocket> {
    const url = `${this.serviceUrl.replace(/^http/, 'ws')}/telephony/relay/${token}`;
    const signature = twilio.getExpectedTwilioSignature(this.authToken, url, {});
    const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature } });
    await once(socket, 'open');
    return socket;
  }

  /** An inbound call without audio: it runs until the carrier reports its end. */
  async incoming(to: string, from: string, sid = `CA${randomBytes(16).toString('hex')}`): Promise<string> {
    const form = { CallSid: sid, From: from, To: to, CallStatus: 'ringing' };
    // A service with too much to do answers 503, and the carrier asks again, as the webhook's `#rc=5&rp=all` tells it.
    for (let asked = 0; asked < CARRIER_RETRIES; asked += 1) {
      const answer = await this.request('incoming', form);
      if (answer.status !== 503) return textOf(answer);
    }
    return this.says('incoming', form);
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

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`the callback was refused: ${response.status} ${await response.text()}`);
  return response.text();
}
