import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAccount } from '../../test/factories/account.js';
import type { ServiceProcess } from '../../test/support/service.js';

const PATIENCE_MS = 120_000;

/** Sends messages of one account to the processes in turn. */
export class SmsClient {
  private turn = 0;

  constructor(
    private readonly services: readonly ServiceProcess[],
    private readonly user: TestAccount,
  ) {}

  /** @returns the status; rejects when no answer came. */
  async send(to: string, body: string, headers: Record<string, string> = {}): Promise<number> {
    const service = this.services[this.turn++ % this.services.length];
    const response = await fetch(`${service?.url}/api/user/sms`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.user.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ from: this.user.phoneNumber.id, to, body }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** Repeats the request under one key until it is answered: a 500 is an answer, a broken connection is none. */
  async sendSurely(to: string, body: string): Promise<number> {
    const headers = { 'idempotency-key': randomUUID() };
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const status = await this.send(to, body, headers).catch(() => 0);
      if (status !== 0 && status !== 409) return status;
      await sleep(500);
    }
    throw new Error('a request was never answered');
  }
}
