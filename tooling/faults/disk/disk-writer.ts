import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAccount } from '../../../test/factories/account.js';
import { aNumber } from '../../../test/factories/lead.js';
import type { Acknowledged } from './verify-disk.js';

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 20;
const RECIPIENT = '+15005550006';
/** Random text, which cannot be compressed, so that the disk fills quickly. */
const TEXT_BYTES = 24_000;

/** Creates leads and sends messages continuously, and records the acknowledged ones. */
export class DiskWriter {
  readonly acknowledged: Acknowledged[] = [];
  /** Count by status; 0: no response. */
  readonly statuses = new Map<number, number>();
  /** Error responses that do not match the OpenAPI document. */
  readonly misshapen: string[] = [];
  private writing = true;
  private running: Promise<unknown> = Promise.resolve();
  private turn = 0;
  /** Time of the last acknowledgement, in milliseconds since the epoch. */
  lastSuccess = 0;

  constructor(
    private readonly url: string,
    private readonly account: TestAccount,
    private readonly campaignId: number,
  ) {}

  start(loops: number): void {
    this.running = Promise.all(Array.from({ length: loops }, () => this.loop()));
  }

  async stop(): Promise<void> {
    this.writing = false;
    await this.running;
  }

  private async loop(): Promise<void> {
    while (this.writing) {
      await (this.turn++ % 4 === 0 ? this.sendMessage() : this.createLead());
      await sleep(PAUSE_MS);
    }
  }

  private async createLead(): Promise<void> {
    const body = {
      phone_number: aNumber(),
      campaign_id: this.campaignId,
      variables: { text: randomBytes(TEXT_BYTES).toString('base64') },
    };
    await this.write('lead', '/user/lead', body);
  }

  private async sendMessage(): Promise<void> {
    const body = { from: this.account.phoneNumber.id, to: RECIPIENT, body: `message ${this.turn}` };
    await this.write('message', '/user/sms', body);
  }

  private async write(kind: Acknowledged['kind'], path: string, body: object): Promise<void> {
    const answer = await this.post(path, body).catch(() => ({ status: 0, text: '' }));
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const content = parse(answer.text);
    if (answer.status === 200 || answer.status === 201) {
      this.lastSuccess = Date.now();
      const { id } = (content.data ?? {}) as { id?: number };
      if (id !== undefined) this.acknowledged.push({ kind, id });
    } else if (answer.status !== 0 && typeof content.message !== 'string') {
      this.misshapen.push(`${answer.status} ${answer.text.slice(0, 100)}`);
    }
  }

  private async post(path: string, body: object): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
