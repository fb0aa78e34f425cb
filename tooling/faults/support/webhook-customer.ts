import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { assistantBody } from '../../../test/factories/assistant.js';
import { HANGS_UP } from '../../../test/factories/call.js';
import type { FaultyReceiver } from './faulty-receiver.js';

const TIMEOUT_MS = 240_000;
const RETRY_PAUSE_MS = 250;
/** Time within which the service stores a call. */
const ANSWERED_AFTER_MS = 1_000;
const WITH_WEBHOOK = { is_webhook_active: true, send_webhook_only_on_completed: false };

interface CallPlan {
  sandboxUrl: string;
  index: number;
  outbound: number;
  /** Divides `outbound`. */
  inbound: number;
}

interface Created {
  data: { id: number };
}

/** Creates customers and registers their secrets with the receiver. */
export async function customersOf(
  count: number,
  apiUrl: string,
  receiver: FaultyReceiver,
  receiverUrl: string,
): Promise<WebhookCustomer[]> {
  const customers = await Promise.all(
    Array.from({ length: count }, () => WebhookCustomer.create(apiUrl, receiverUrl)),
  );
  for (const customer of customers) {
    const secret = await customer.secret();
    for (const id of Object.values(customer.assistants)) receiver.secrets.set(id, secret);
  }
  return customers;
}

/** An account with webhooks: outbound calls on one channel, inbound calls on two. */
export class WebhookCustomer {
  private constructor(
    readonly account: TestAccount,
    private readonly apiUrl: string,
    readonly assistants: { outbound: number; inbound: number },
  ) {}

  static async create(apiUrl: string, receiverUrl: string): Promise<WebhookCustomer> {
    const customer = new WebhookCustomer(await anAccount(), apiUrl, { outbound: 0, inbound: 0 });
    const create = async (fields: Record<string, unknown>): Promise<number> => {
      const webhook = { ...WITH_WEBHOOK, webhook_url: `${receiverUrl}/post-call` };
      const { body } = await customer.post<Created>(
        '/user/assistant',
        assistantBody({ ...webhook, ...fields }),
      );
      return body.data.id;
    };
    customer.assistants.outbound = await create({});
    customer.assistants.inbound = await create({
      calls_direction: 'receive',
      phone_number_id: customer.account.phoneNumber.id,
    });
    await customer.post('/user/assistants/enable-inbound-webhook', {
      assistant_id: customer.assistants.inbound,
      webhook_url: `${receiverUrl}/inbound`,
    });
    return customer;
  }

  async secret(): Promise<string> {
    const response = await fetch(`${this.apiUrl}/api/user/webhook-secret`, { headers: this.headers() });
    return ((await response.json()) as { data: { secret: string } }).data.secret;
  }

  /** Repeats the request until the call is placed: it is refused while the previous call runs and during faults. */
  async call(): Promise<void> {
    await this.until(async () => {
      const { status, body } = await this.post('/user/make_call', {
        assistant_id: this.assistants.outbound,
        phone_number: HANGS_UP,
      });
      return status === 200 ? null : JSON.stringify(body);
    });
  }

  /** Calls the account's number until the call is answered. */
  async beCalled(sandboxUrl: string, from: string): Promise<void> {
    await this.until(async () => {
      const response = await fetch(`${sandboxUrl}/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from, to: this.account.phoneNumber.phone_number, persona: '0023' }),
      });
      if (!response.ok) return `the sandbox answered ${response.status}`;
      await sleep(ANSWERED_AFTER_MS);
      return this.lacks(from);
    });
  }

  /** Places all calls of this customer sequentially. @param index determines the callers' numbers */
  async calls({ sandboxUrl, index, outbound, inbound }: CallPlan): Promise<void> {
    for (let count = 0; count < outbound; count++) {
      await this.call();
      if (count % (outbound / inbound) !== 0) continue;
      await this.beCalled(sandboxUrl, `+1415556${String(index * 100 + count).padStart(4, '0')}`);
    }
  }

  private async lacks(number: string): Promise<string | null> {
    const query = `type=inbound&phone_number=${encodeURIComponent(number)}`;
    const response = await fetch(`${this.apiUrl}/api/user/calls?${query}`, { headers: this.headers() });
    const text = await response.text();
    return response.ok && (JSON.parse(text) as { data: object[] }).data.length > 0 ? null : text;
  }

  /** Repeats `attempt` until it returns no problem. */
  private async until(attempt: () => Promise<string | null>): Promise<void> {
    let problem: string | null = null;
    for (const started = Date.now(); Date.now() - started < TIMEOUT_MS; await sleep(RETRY_PAUSE_MS)) {
      problem = await attempt().catch((error: unknown) => String(error));
      if (problem === null) return;
    }
    throw new Error(`account ${this.account.id} had no call, at last because of: ${problem}`);
  }

  private headers(): Record<string, string> {
    return { authorization: `Bearer ${this.account.token}`, 'content-type': 'application/json' };
  }

  private async post<T>(path: string, body: object): Promise<{ status: number; body: T }> {
    const request = { method: 'POST', headers: this.headers(), body: JSON.stringify(body) };
    const response = await fetch(`${this.apiUrl}/api${path}`, request);
    return { status: response.status, body: (await response.json()) as T };
  }
}
