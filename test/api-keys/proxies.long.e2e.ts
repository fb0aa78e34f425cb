import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

let service: OwnService;
let account: TestAccount;

beforeAll(async () => {
  service = await OwnService.start(undefined, { TRUSTED_PROXIES: '127.0.0.0/8' });
  account = await service.account();
});

afterAll(() => service.stop());

it('the address of a client is the one that a trusted proxy names', async () => {
  const { id, client } = await anApiKey(account, { allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'] });
  const statusFrom = async (forwarded: string) =>
    (await client.get('/user/me', { 'X-Forwarded-For': forwarded })).status;
  expect(await statusFrom('198.51.100.1')).toBe(403);
  expect(await statusFrom('203.0.113.9, 198.51.100.1')).toBe(403);
  expect(await statusFrom('unknown')).toBe(403);
  expect((await client.get('/user/me')).status).toBe(403);
  expect(await statusFrom('2001:DB8:0::7')).toBe(200);
  const used = await until(async () => {
    const { body } = await account.client.get<{
      api_keys: { id: number; last_used_address: string | null }[];
    }>('/user/api-keys');
    return body.api_keys.find((key) => key.id === id)?.last_used_address ?? null;
  });
  expect(used).toBe('2001:db8::7');
  expect(await statusFrom('198.51.100.1, 203.0.113.9')).toBe(200);
});
