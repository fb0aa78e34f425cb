import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { database } from '../support/database.js';

interface ApiKey {
  name: string;
  created_at: string;
  last_used_at: string | null;
  unused_since: string | null;
}

it('keys that were not used for 90 days say since when, unless they have expired', async () => {
  const user = await anAccount();
  const rows: [name: string, columns: string][] = [
    ['never used', `created_at = now() - interval '91 days'`],
    ['long ago', `created_at = now() - interval '300 days', last_used_at = now() - interval '91 days'`],
    ['lately', `created_at = now() - interval '300 days', last_used_at = now() - interval '89 days'`],
    ['young', `created_at = now() - interval '89 days'`],
    ['expired', `created_at = now() - interval '91 days', expires_at = now()`],
  ];
  for (const [name, columns] of rows) {
    const { id } = await anApiKey(user, { name });
    await database().query(`UPDATE access_tokens SET ${columns} WHERE id = $1`, [id]);
  }
  const { body } = await user.client.get<{ api_keys: ApiKey[] }>('/user/api-keys');
  const found = Object.fromEntries(body.api_keys.map((key) => [key.name, key]));
  const sinceOf = Object.fromEntries(body.api_keys.map(({ name, unused_since }) => [name, unused_since]));
  expect(sinceOf).toEqual({
    test: null,
    'never used': found['never used']?.created_at,
    'long ago': found['long ago']?.last_used_at,
    lately: null,
    young: null,
    expired: null,
  });
});
