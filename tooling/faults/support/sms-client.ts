import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from '../../harness/http-client.js';
import type { TestAccount } from '../../../test/factories/account.js';

const TIMEOUT_MS = 120_000;
const RETRY_PAUSE_MS = 500;
/** Key in use, too many requests, database not available: the request can be repeated. */
const RETRYABLE = new Set([409, 429, 503]);

/** The response to a message. */
export interface SmsResponse {
  /** Body of the message. */
  body: string;
  status: number;
  /** Ids of the record and of the carrier's message; null when the response has none. */
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

  /** Rejects without a response. */
  async send(to: string, body: string, headers: Record<string, string> = {}): Promise<SmsResponse> {
    const url = this.urls[this.turn++ % this.urls.length];
    const { status, body: answer } = await new HttpClient(this.user.token, `${url}/api`).post<{
      data?: { id: number; sms_sid: string | null };
    }>('/user/sms', { from: this.user.phoneNumber.id, to, body }, headers);
    return { body, status, id: answer.data?.id ?? null, sid: answer.data?.sms_sid ?? null };
  }

  /**
   * Repeats the request with one key until it gets a final response. A 500 is final; a broken connection and the
   * retryable statuses are not.
   */
  async sendSurely(to: string, body: string): Promise<SmsResponse> {
    const headers = { 'idempotency-key': randomUUID() };
    const deadline = Date.now() + TIMEOUT_MS;
    while (Date.now() < deadline) {
      const answer = await this.send(to, body, headers).catch(() => null);
      if (answer && !RETRYABLE.has(answer.status)) return answer;
      await sleep(RETRY_PAUSE_MS);
    }
    throw new Error('a request was never answered');
  }
}
