import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { Client } from '../support/client.js';

type Full = Record<string, unknown> & { id: number };

const NOT_FOUND = [404, { message: 'Assistant not found' }];

describe('lists and ids of assistants', () => {
  let one: TestAccount;
  let other: TestAccount;

  const full = async (account: TestAccount, id: number): Promise<Full> => {
    const { body } = await account.client.get<{ data: Full }>(`/user/assistant/${id}`);
    return body.data;
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it('lists a page, all, and outbound assistants of the user, newest first', async () => {
    const account = await anAccount();
    const inbound = await anAssistant(account, { calls_direction: 'receive' });
    const outbound: number[] = [];
    for (let count = 0; count < 11; count++)
      outbound.unshift(await anAssistant(account, { variables: { count } }));
    const ids = (items: { id: number }[]) => items.map(({ id }) => id);

    const first = await account.client.get<{ data: Full[] }>('/user/assistants/get');
    expect(first.body).toMatchObject({
      current_page: 1,
      per_page: 10,
      total: 12,
      last_page: 2,
      from: 1,
      to: 10,
    });
    expect(ids(first.body.data)).toEqual(outbound.slice(0, 10));
    expect(first.body.data[0]).toEqual(await full(account, outbound[0] ?? 0));
    const last = await account.client.get<{ data: Full[]; prev_page_url: string }>(
      '/user/assistants/get?type=outbound&per_page=5&page=3',
    );
    expect(last.body).toMatchObject({ total: 11, last_page: 3, from: 11, to: 11, next_page_url: null });
    expect(last.body.prev_page_url).toMatch(/\/api\/user\/assistants\/get\?type=outbound&per_page=5&page=2$/);
    expect(ids(last.body.data)).toEqual(outbound.slice(10));

    const all = await account.client.get<Full[]>('/user/assistants');
    expect(ids(all.body)).toEqual([...outbound, inbound]);
    expect((await account.client.get<Full[]>('/user/assistants?type=inbound')).body).toEqual([all.body[11]]);

    const listed = await account.client.get<Full[]>('/user/assistants/outbound');
    expect(ids(listed.body)).toEqual(outbound);
    const [{ created_at, updated_at } = {} as Full] = all.body;
    expect(listed.body[0]).toEqual({
      id: outbound[0],
      user_id: account.id,
      name: 'Front desk',
      type: 'outbound',
      mode: 'pipeline',
      status: 'active',
      voice_id: 1,
      language_id: 1,
      timezone: 'Europe/Berlin',
      initial_message: 'Hello, how can I help you?',
      system_prompt: 'You are the friendly voice of a bicycle shop.',
      variables: { count: 10 },
      webhook_url: null,
      is_webhook_active: false,
      created_at,
      updated_at,
    });
    expect((await other.client.get<Full[]>('/user/assistants')).body).toEqual([]);
  });

  it.each(['per_page=0', 'per_page=101', 'per_page=abc', 'page=0', 'page=1.5', 'type=web'])(
    'refuses a page with %s',
    async (query) => {
      const { status, body } = await one.client.get(`/user/assistants/get?${query}`);
      expect([status, body]).toMatchObject([
        422,
        { message: 'Validation failed', errors: expect.any(Object) },
      ]);
    },
  );

  it('accepts page sizes 1 and 100', async () => {
    for (const per_page of [1, 100]) {
      const { status, body } = await one.client.get(`/user/assistants/get?per_page=${per_page}`);
      expect([status, body]).toMatchObject([200, { per_page }]);
    }
  });

  it('deletes an assistant and releases its number', async () => {
    const fields = { calls_direction: 'receive', phone_number_id: other.phoneNumber.id };
    const id = await anAssistant(other, fields);
    const { status, body } = await other.client.delete(`/user/assistant/${id}`);
    expect([status, body]).toEqual([200, { message: 'Assistant deleted successfully' }]);
    for (const path of ['/user/assistants', '/user/assistants/outbound']) {
      expect((await other.client.get(path)).body).toEqual([]);
    }
    expect((await other.client.get('/user/assistants/get')).body).toMatchObject({
      data: [],
      total: 0,
      from: null,
    });
    await anAssistant(other, fields);
  });

  it('returns the same response for foreign, deleted, missing and impossible ids', async () => {
    const [foreign, deleted] = [await anAssistant(one), await anAssistant(other)];
    await other.client.delete(`/user/assistant/${deleted}`);
    for (const id of [foreign, deleted, 2_147_483_647, 2_147_483_648, 0, -1, '1.5', 'abc', '%00']) {
      const path = `/user/assistant/${id}`;
      const answers = [
        await other.client.get(path),
        await other.client.put(path, { assistant_name: 'Mine now' }),
        await other.client.delete(path),
      ];
      for (const { status, body } of answers) expect([id, status, body]).toEqual([id, ...NOT_FOUND]);
    }
    expect((await full(one, foreign)).name).toBe('Front desk');
  });

  it('returns 401 without a token', async () => {
    const nobody = new Client(null);
    const answers = await Promise.all([
      nobody.post('/user/assistant', assistantBody()),
      nobody.get('/user/assistant/1'),
      nobody.put('/user/assistant/1', {}),
      nobody.delete('/user/assistant/1'),
      nobody.get('/user/assistants'),
      nobody.get('/user/assistants/get'),
      nobody.get('/user/assistants/outbound'),
    ]);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });
});
