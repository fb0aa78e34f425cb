import { Client } from '../support/client.js';
import type { TestAccount } from './account.js';

export interface TestApiKey {
  id: number;
  token: string;
  client: Client;
}

interface Created {
  api_key: { id: number; token: string };
}

/** Created with the account's first key, which has all scopes. */
export async function anApiKey(
  { client }: Pick<TestAccount, 'client'>,
  fields: Record<string, unknown> = {},
): Promise<TestApiKey> {
  const answer = await client.post<Created>('/user/api-keys', { name: 'Key of a test', ...fields });
  if (answer.status !== 201) throw new Error(`no API key: ${answer.text}`);
  const { id, token } = answer.body.api_key;
  return { id, token, client: client.withToken(token) };
}
