import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { assistantBody } from '../../../test/factories/assistant.js';
import type { Write } from '../verifiers/api.js';
import { Api, leadsFile, type ApiResponse } from './api.js';
import type { Random } from './random.js';

const TIMEOUT_MS = 180_000;
const RETRY_PAUSE_MS = 300;
/** Key in use, too many requests, service not available. */
const RETRYABLE = new Set([409, 429, 502, 503]);
const REPETITIONS = 2;
const LATEST_REPETITION_MS = 3_000;
const RECIPIENT = '+15005550006';

export const KINDS = ['lead', 'assistant', 'call', 'sms', 'campaign', 'import', 'tool'] as const;
type Kind = (typeof KINDS)[number];

interface Request {
  path: string;
  body: object | FormData;
  markers: string[];
}

/** A client that sends every request with a key to the processes in turn, and repeats it after the response. */
export class KeyedClient {
  readonly writes: Write[] = [];
  private turn = 0;
  private sequence = 0;

  private constructor(
    readonly account: TestAccount,
    private readonly apis: readonly Api[],
    private readonly random: Random,
    private readonly assistantId: number,
    private readonly campaignId: number,
  ) {}

  static async create(urls: readonly string[], random: Random): Promise<KeyedClient> {
    const account = await anAccount({ balance: 1000, plan: 'unlimited' });
    const apis = urls.map((url) => new Api(url, account.token));
    const [first] = apis;
    if (!first) throw new Error('a client needs a process to speak to');
    const id = async (path: string, body: object): Promise<number> =>
      (await first.created<{ data: { id: number } }>(path, body)).data.id;
    const assistant = await id('/user/assistant', assistantBody());
    const campaign = await id('/user/campaigns', { name: 'Not started', assistant_id: assistant });
    return new KeyedClient(account, apis, random, assistant, campaign);
  }

  /** Sequential. */
  async write(kinds: readonly Kind[]): Promise<void> {
    for (const kind of kinds) await this.writeOne(kind);
  }

  private async writeOne(kind: Kind): Promise<void> {
    const { path, body, markers } = this.request(kind, this.sequence++);
    const write: Write = { account: this.account.id, kind, markers, answers: [] };
    this.writes.push(write);
    const key = randomUUID();
    for (let count = 0; count <= REPETITIONS; count++) {
      const answer = await this.surely(path, body, key);
      if (!answer) return;
      write.answers.push(answer);
      await sleep(this.random() * LATEST_REPETITION_MS);
    }
  }

  private async surely(path: string, body: object | FormData, key: string): Promise<ApiResponse | null> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(RETRY_PAUSE_MS)) {
      const api = this.apis[this.turn++ % this.apis.length];
      const answer = await api?.post(path, body, key).catch(() => null);
      if (answer && !RETRYABLE.has(answer.status)) return answer;
    }
    return null;
  }

  private request(kind: Kind, index: number): Request {
    const name = `${kind} ${index}`;
    const number = `+1500555${String(2000 + index)}`;
    const campaign_id = this.campaignId;
    switch (kind) {
      case 'lead':
        return { path: '/user/lead', body: { phone_number: number, campaign_id }, markers: [number] };
      case 'assistant':
        return { path: '/user/assistant', body: assistantBody({ assistant_name: name }), markers: [name] };
      case 'call': {
        const body = { assistant_id: this.assistantId, phone_number: number };
        return { path: '/user/make_call', body, markers: [number] };
      }
      case 'sms': {
        const body = { from: this.account.phoneNumber.id, to: RECIPIENT, body: name };
        return { path: '/user/sms', body, markers: [name] };
      }
      case 'campaign':
        return { path: '/user/campaigns', body: { name, assistant_id: this.assistantId }, markers: [name] };
      case 'import': {
        const numbers = [1, 2, 3].map((digit) => `+1500555${digit + 3}${String(index).padStart(3, '0')}`);
        return { path: '/user/leads/import', body: leadsFile(campaign_id, numbers), markers: numbers };
      }
      case 'tool': {
        const tool = `tool_${letters(index)}`;
        return { path: '/user/tools', body: toolBody(tool), markers: [tool] };
      }
    }
  }
}

const letters = (index: number): string =>
  String(index).replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));

const toolBody = (name: string): object => ({
  name,
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'GET',
  timeout: 10,
  headers: [],
  schema: [],
});
