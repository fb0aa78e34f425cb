import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { WebSocket } from 'ws';
import twilio from 'twilio/lib/webhooks/webhooks.js';
import { baseUrl } from './client-base.js';
import { database, databaseUrl } from './database.js';
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

/** A service, and its sandbox with a secret that is known. */
export interface CarrierOfService {
  postgresUrl: string;
  serviceUrl: string;
  sandboxUrl: string;
  accountSid: string;
  authToken: string;
}

/** The carrier of a service, whose callbacks a test can send because the secret is known. */
export class Carrier {
  readonly postgresUrl: string;
  protected readonly serviceUrl: string;
  private readonly sandboxUrl: string;
  private readonly accountSid: string;
  private readonly authToken: string;

  protected constructor(
    { postgresUrl, serviceUrl, sandboxUrl, accountSid, authToken }: CarrierOfService,
    readonly db: pg.Pool,
  ) {
    this.postgresUrl = postgresUrl;
    this.serviceUrl = serviceUrl;
    this.sandboxUrl = sandboxUrl;
    this.accountSid = accountSid;
    this.authToken = authToken;
  }

  /** Of the service that all files share. */
  static shared(): Carrier {
    const { E2E_SANDBOX_URL: sandboxUrl, E2E_CARRIER: credentials } = process.env;
    if (!sandboxUrl || !credentials)
      throw new Error('E2E_SANDBOX_URL and E2E_CARRIER (account SID:auth token) must name the sandbox.');
    const [accountSid = '', authToken = ''] = credentials.split(':');
    const postgresUrl = databaseUrl();
    return new Carrier({ postgresUrl, serviceUrl: baseUrl(), sandboxUrl, accountSid, authToken }, database());
  }

  /** Options for the factories. */
  get root(): string {
    return `${this.serviceUrl}/api`;
  }

  private get authorization(): string {
    return `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString('base64')}`;
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

  /** Makes the line of a callee difficult (docs/build/sandbox.md, "Traits of a line"), e.g. `0022`. */
  async setTraits(callee: string, traits: object): Promise<void> {
    await send('PUT', `${this.sandboxUrl}/lines/+1500555${callee}/traits`, traits);
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

  /** Reports that nobody answered, whom the sandbox lets ring on. */
  async ringsOut(id: number): Promise<void> {
    const { token, sid } = await this.callAtCarrier(id);
    await this.says(`status/${token}`, { CallSid: sid, CallStatus: 'no-answer' });
  }

  /** A POST to the carrier, as a person does it at its console. */
  async atCarrier(path: string, form: Record<string, string>): Promise<void> {
    await this.ask(path, { method: 'POST', body: new URLSearchParams(form) });
  }

  /** The body of a message as the carrier has it. */
  async messageBody(sid: string): Promise<string> {
    const response = await this.ask(`/Messages/${sid}.json`);
    return ((await response.json()) as { body: string }).body;
  }

  private async ask(path: string, request: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.sandboxUrl}/2010-04-01/Accounts/${this.accountSid}${path}`, {
      ...request,
      headers: { authorization: this.authorization },
    });
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
    return response;
  }

  /** What the carrier's REST API shows below the account, as text. */
  async shownAtCarrier(path: string): Promise<string> {
    const response = await fetch(`${this.sandboxUrl}/2010-04-01/Accounts/${this.accountSid}${path}`, {
      headers: { authorization: this.authorization },
    });
    return response.text();
  }

  /** A recording where the carrier keeps it, whatever goes wrong with its downloads. */
  stored(recordingSid: string): Promise<Response> {
    return fetch(`${this.sandboxUrl}/recording-storage/${recordingSid}`);
  }

  /** Entries of the journal, of one call or of all, oldest first. */
  async journal(sid?: string): Promise<NetworkEvent[]> {
    const filter = sid === undefined ? '' : `?sid=${sid}`;
    return (await (await fetch(`${this.sandboxUrl}/journal${filter}`)).json()) as NetworkEvent[];
  }
}

async function textOf(response: Response): Promise<string> {
  if (!response.ok) throw new Error(`the callback was refused: ${response.status} ${await response.text()}`);
  return response.text();
}

export async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}
