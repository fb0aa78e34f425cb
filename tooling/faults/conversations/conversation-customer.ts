import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { assistantBody } from '../../../test/factories/assistant.js';
import { Api } from '../support/api.js';

/** A new model is available when the processes have reloaded the catalogue. */
const CATALOGUE_MS = 45_000;
const RETRY_MS = 1_000;
/** Of one call, retried by its customer. */
const REFUSALS = 10;
/** Maximum duration of a call in seconds. */
export const MAX_CALL_SECONDS = 90;

/** A call that was placed. */
export interface Placed {
  id: number;
  /** Callee and assistant, for messages. */
  name: string;
  account: TestAccount;
}

/** An account that places single calls. */
export class ConversationCustomer {
  private constructor(
    readonly account: TestAccount,
    private readonly api: Api,
  ) {}

  static async create(url: string): Promise<ConversationCustomer> {
    const account = await anAccount({ balance: 10_000, plan: 'unlimited' });
    return new ConversationCustomer(account, new Api(url, account.token));
  }

  /** @returns the tool's id */
  async tool(endpoint: string): Promise<number> {
    const description = 'Looks up an order and checks which appointment is available.';
    const schema = [{ name: 'order_number', type: 'string', description: 'The number of the order' }];
    const name = 'check_order';
    return this.create('/user/tools', { name, description, endpoint, method: 'POST', timeout: 12, schema });
  }

  /** @returns the assistant's id */
  async assistant(fields: Record<string, unknown>): Promise<number> {
    const body = assistantBody({
      timezone: 'UTC',
      post_call_evaluation: false,
      max_call_duration: MAX_CALL_SECONDS,
      max_silence_duration: 20,
      re_engagement_interval: 8,
      end_call_tool: { description: 'Ends the call once both have said goodbye.' },
      ...fields,
    });
    const deadline = Date.now() + CATALOGUE_MS;
    for (;;) {
      const answer = await this.api.post('/user/assistant', body);
      if (answer.status === 201) return (JSON.parse(answer.text) as { data: { id: number } }).data.id;
      if (answer.status !== 422 || Date.now() > deadline) throw new Error(`no assistant: ${answer.text}`);
      await sleep(RETRY_MS);
    }
  }

  /** @param callee four digits of the sandbox */
  async call(assistantId: number, callee: string, name = callee): Promise<Placed> {
    const body = { assistant_id: assistantId, phone_number: `+1500555${callee}`, variables: {} };
    for (let left = REFUSALS; ; left -= 1) {
      const answer = await this.api.post('/user/make_call', body);
      if (answer.status < 300) {
        const { call_id } = JSON.parse(answer.text) as { call_id: number };
        return { id: call_id, name, account: this.account };
      }
      // Statuses of a busy machine.
      if (answer.status !== 503 || left === 0) throw new Error(`no call: ${answer.status} ${answer.text}`);
      await sleep(RETRY_MS);
    }
  }

  private async create(path: string, body: object): Promise<number> {
    return (await this.api.created<{ data: { id: number } }>(path, body)).data.id;
  }
}
