import type { Answer } from '../support/client.js';
import { Client } from '../support/client.js';
import { anAssistant } from './assistant.js';
import type { TestAccount } from './account.js';

export const ORIGIN = 'https://shop.example';

export interface Begun {
  status: boolean;
  conversation_id: string;
  history: { role: string; content: string; function_calls?: Said['function_calls'] }[];
}

export interface Said {
  status: boolean;
  message: string;
  function_calls: { name: string; arguments: Record<string, unknown>; result: unknown }[];
}

export interface Refused {
  status: boolean;
  message: string;
  error: string;
  errors?: Record<string, string[]>;
}

/** An assistant that pages of `ORIGIN` may show. @returns its id and uuid */
export async function aWidgetAssistant(
  account: TestAccount,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; uuid: string }> {
  const id = await anAssistant(account, {
    calls_direction: 'receive',
    widget_settings: { enabled: true, allowed_origins: [ORIGIN] },
    ...fields,
  });
  const { body } = await account.client.get<{ data: { uuid: string } }>(`/user/assistant/${id}`);
  return { id, uuid: body.data.uuid };
}

/** A browser on a page: no token, and an origin. */
export class Visitor {
  readonly client: Client;

  /** @param root of the API, where it is not the shared service's */
  constructor(
    root?: string,
    private readonly headers: Record<string, string> = { Origin: ORIGIN },
  ) {
    this.client = root === undefined ? new Client(null) : new Client(null, root);
  }

  begin<T = Begun>(uuid: string, fields: object = {}, headers: object = {}): Promise<Answer<T>> {
    const body = { assistant_id: uuid, type: 'widget', ...fields };
    return this.client.post<T>('/conversations', body, { ...this.headers, ...headers });
  }

  /** @returns the id of the conversation */
  async began(uuid: string, fields: object = {}): Promise<string> {
    const { status, text, body } = await this.begin(uuid, fields);
    if (status !== 200) throw new Error(`no conversation: ${status} ${text}`);
    return body.conversation_id;
  }

  say<T = Said>(id: string, message: unknown, headers: object = {}): Promise<Answer<T>> {
    return this.client.post<T>(`/conversations/${id}/messages`, { message }, { ...this.headers, ...headers });
  }

  async history(id: string): Promise<Begun['history']> {
    return (await this.client.get<Begun>(`/conversations/${id}`, this.headers)).body.history;
  }
}
