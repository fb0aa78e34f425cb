import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAccount } from '../../test/factories/account.js';

const PATIENCE_MS = 120_000;
const AGAIN_MS = 500;
/** The key is in use, too many at once, the database is away: nothing was decided yet. */
const LATER = new Set([409, 429, 503]);

/** What a client was told about its message. */
export interface SmsAnswer {
  /** Of the message that it asked for. */
  body: string;
  status: number;
  /** Of the record and of the carrier's message; null where the answer has none. */
  id: number | null;
  sid: string | null;
}

/** Sends messages of one account to the processes in turn. */
export class SmsClient {
  private turn = 0;

  constructor(
    private readonly urls: readonly string[],
    private readonly user: TestAccount,
  ) {}

  /** Rejects when no answer came. */
  async send(to: string, body: string, headers: Record<string, string> = {}): Promise<SmsAnswer> {
    const url = this.urls[this.turn++ % this.urls.length];
    const response = await fetch(`${url}/api/user/sms`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.user.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ from: this.user.phoneNumber.id, to, body }),
    });
    const { data } = (await response.json()) as { data?: { id: number; sms_sid: string | null } };
    return { body, status: response.status, id: data?.id ?? null, sid: data?.sms_sid ?? null };
  }

  /**
   * Repeats the request under one key until it is decided: a 500 is an answer, a broken connection is none, nor is
   * one that says to come back later.
   */
  async sendSurely(to: string, body: string): Promise<SmsAnswer> {
    const headers = { 'idempotency-key': randomUUID() };
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const answer = await this.send(to, body, headers).catch(() => null);
      if (answer && !LATER.has(answer.status)) return answer;
      await sleep(AGAIN_MS);
    }
    throw new Error('a request was never answered');
  }
}
