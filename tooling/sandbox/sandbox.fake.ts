import { FakeService } from './service.fake.js';
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN } from './defaults.js';
import type { JournalEntry } from './journal.js';
import { startSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';

const AUTHORIZATION = `Basic ${Buffer.from(`${SANDBOX_ACCOUNT_SID}:${SANDBOX_AUTH_TOKEN}`).toString('base64')}`;

const OPTIONS: SandboxOptions = {
  port: 0,
  accountSid: SANDBOX_ACCOUNT_SID,
  authToken: SANDBOX_AUTH_TOKEN,
  apiKey: SANDBOX_API_KEY,
  speed: 80,
};

export interface RestAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** A fast sandbox with a service of its own, for specs. */
export class Bench {
  private constructor(
    public sandbox: Sandbox,
    readonly service: FakeService,
  ) {}

  static async start(options: Partial<SandboxOptions> = {}): Promise<Bench> {
    const service = new FakeService(SANDBOX_AUTH_TOKEN);
    await service.start();
    return new Bench(await startSandbox({ ...OPTIONS, ...options }), service);
  }

  /** Starts the sandbox again, on another port. */
  async restart(options: Partial<SandboxOptions>): Promise<void> {
    await this.sandbox.close();
    this.sandbox = await startSandbox({ ...OPTIONS, ...options });
  }

  async stop(): Promise<void> {
    await this.sandbox.close();
    await this.service.stop();
  }

  async rest(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    form?: Record<string, string | string[]>,
  ): Promise<RestAnswer> {
    const body = new URLSearchParams();
    for (const [name, values] of Object.entries(form ?? {})) {
      for (const value of [values].flat()) body.append(name, value);
    }
    const response = await fetch(`${this.sandbox.url}/2010-04-01/Accounts/${SANDBOX_ACCOUNT_SID}${path}`, {
      method,
      headers: { authorization: AUTHORIZATION },
      ...(form !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  /** Calls the callee `digits`, like the service. */
  async call(digits: string, extra: Record<string, string | string[]> = {}): Promise<RestAnswer> {
    return this.rest('POST', '/Calls.json', {
      To: `+1500555${digits}`,
      From: '+14155550100',
      Url: `${this.service.url}/answer/token-1`,
      StatusCallback: `${this.service.url}/status/token-1`,
      StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      ...extra,
    });
  }

  /** The last status callback of a call. */
  async ending(): Promise<Record<string, string>> {
    const last = await this.service.webhook(({ params }) => params['CallDuration'] !== undefined);
    return last.params;
  }

  async journal(): Promise<JournalEntry[]> {
    const response = await fetch(`${this.sandbox.url}/journal`);
    return (await response.json()) as JournalEntry[];
  }
}
