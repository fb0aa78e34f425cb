import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aWidgetAssistant, type Begun, type Refused } from '../factories/conversation.js';
import { Client } from '../support/client.js';
import { database } from '../support/database.js';

const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';

interface Row {
  id: string;
  assistant_id: string;
  [name: string]: unknown;
}

interface Listed {
  data: Row[];
  total: number;
  path: string;
  per_page: number;
  current_page: number;
  from: number | null;
  next_page_url: string | null;
  next_cursor: string | null;
  prev_cursor: string | null;
}

describe('GET /user/conversations', () => {
  let other: TestAccount;

  beforeAll(async () => void (other = await anAccount()));

  const list = async (query: string, client: Client): Promise<Listed> => {
    const { status, body, text } = await client.get<Listed>(`/user/conversations${query}`);
    if (status !== 200) throw new Error(text);
    return body;
  };

  describe('in the list', () => {
    let owner: TestAccount;
    let ids: Record<string, string>;
    let one: { id: number; uuid: string };

    const query = (name: string, value: unknown) => `?${name}=${encodeURIComponent(String(value))}`;
    const idsOf = ({ data }: Listed) => data.map(({ id }) => id);

    beforeAll(async () => {
      owner = await anAccount();
      one = await aWidgetAssistant(owner);
      const two = await aWidgetAssistant(owner);
      const begun = async (fields: object) =>
        (await owner.client.post<Begun>('/conversations', fields)).body.conversation_id;
      const reply = { assistant_id: two.uuid, customer_identifier: 'crm 7/+1', message: 'Hello' };
      ids = {
        widget: await begun({ assistant_id: one.uuid }),
        test: await begun({ assistant_id: one.uuid, type: 'test' }),
        api: await begun({ assistant_id: two.id, type: 'api', variables: { customer_name: 'Ada' } }),
        reply: (await owner.client.post<Begun>('/user/ai/generate-reply', reply)).body.conversation_id,
      };
    });

    it('shows a row to its owner only', async () => {
      const [row] = (await list(query('external_identifier', 'crm 7/+1'), owner.client)).data;
      const path = `/user/conversations/${ids.reply}`;
      expect((await owner.client.get(path)).body).toEqual({ data: row });
      for (const [client, address] of [
        [other.client, path],
        [owner.client, `/user/conversations/${MISSING}`],
        [owner.client, '/user/conversations/1'],
      ] as const) {
        const { status, body } = await client.get(address);
        expect([status, body]).toEqual([404, { message: 'Conversation not found' }]);
      }
    });

    it('have the uuid of their assistant, and all fields', async () => {
      const { data } = await list('', owner.client);
      expect(data[1]).toEqual({
        id: ids['api'],
        assistant_id: expect.stringMatching(/^[\da-f]{8}-/),
        assistant_name: 'Front desk',
        type: 'api',
        variables: { customer_name: 'Ada' },
        external_identifier: null,
        message_count: 1,
        total_cost: 0,
        ai_enabled: true,
        status: 'active',
        evaluation: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updated_at: expect.any(String),
        content_deleted_at: null,
      });
      expect(data.map((row) => row['external_identifier'])).toEqual(['crm 7/+1', null, null, null]);
      expect(data[3]?.assistant_id).toBe(one.uuid);
    });

    it.each([
      ['type', 'whatsapp', []],
      ['type', 'api', ['reply', 'api']],
      ['type', 'test', ['test']],
      ['customer_phone', '+15005550020', []],
      ['whatsapp_sender_phone', '+15005550020', []],
      ['external_identifier', 'crm 7/+1', ['reply']],
      ['external_identifier', 'crm', []],
      ['external_identifier', 'CRM 7/+1', []],
      ['external_identifier', '%', []],
      ['external_identifier', '', ['reply', 'api', 'test', 'widget']],
      ['customer_phone', '', ['reply', 'api', 'test', 'widget']],
      ['type', '', ['reply', 'api', 'test', 'widget']],
    ])('are filtered by %s=%s', async (name, value, found) => {
      const page = await list(query(name, value), owner.client);
      expect([idsOf(page), page.total]).toEqual([found.map((key) => ids[key]), found.length]);
    });

    it('are filtered by the id and by the uuid of the assistant', async () => {
      const found = [ids['test'], ids['widget']];
      for (const value of [one.id, one.uuid, one.uuid.toUpperCase()]) {
        expect(idsOf(await list(query('assistant_id', value), owner.client))).toEqual(found);
      }
      const foreign = await aWidgetAssistant(other);
      for (const value of [MISSING, foreign.uuid, foreign.id]) {
        expect(idsOf(await list(query('assistant_id', value), owner.client))).toEqual([]);
      }
      await owner.client.delete(`/user/assistant/${one.id}`);
      expect(idsOf(await list(query('assistant_id', one.uuid), owner.client))).toEqual(found);
      expect((await list('', owner.client)).data[3]?.assistant_id).toBe(one.uuid);
      for (const wrong of ['assistant_id=Ada', 'type=voice', `external_identifier=${'x'.repeat(256)}`]) {
        expect((await owner.client.get(`/user/conversations?${wrong}`)).status).toBe(422);
      }
    });
  });

  describe('page by page', () => {
    let owner: TestAccount;
    let uuid: string;
    let all: string[];

    beforeAll(async () => {
      owner = await anAccount();
      uuid = (await aWidgetAssistant(owner)).uuid;
      for (let n = 0; n < 5; n += 1) await owner.client.post('/conversations', { assistant_id: uuid });
      // Of one moment: the order is that of the ids.
      await database().query('UPDATE chats SET created_at = $2 WHERE account_id = $1', [
        owner.id,
        '2026-01-31 09:30:00.123456+00',
      ]);
      all = (await list('', owner.client)).data.map(({ id }) => id);
    });

    it('have both kinds of paging in one response', async () => {
      const first = await list('?per_page=2&type=widget', owner.client);
      expect(first).toMatchObject({ total: 5, per_page: 2, current_page: 1, from: 1, prev_cursor: null });
      expect(first.path).toMatch(/\/api\/user\/conversations$/);
      const by = (page: Listed, name: 'next_cursor' | 'prev_cursor') =>
        list(`?per_page=2&type=widget&cursor=${page[name]}`, owner.client);
      const second = await by(first, 'next_cursor');
      const third = await by(second, 'next_cursor');
      expect([first, second, third].map(({ data }) => data.map(({ id }) => id))).toEqual([
        all.slice(0, 2),
        all.slice(2, 4),
        all.slice(4),
      ]);
      expect([second.current_page, second.from, third.current_page, third.next_cursor]).toEqual([
        2,
        3,
        3,
        null,
      ]);
      expect(third.total).toBe(5);
      const back = await by(third, 'prev_cursor');
      expect([back.data, back.prev_cursor !== null]).toEqual([second.data, true]);
      expect(await by(back, 'prev_cursor')).toMatchObject({ data: first.data, prev_cursor: null });
      // What a client of pages follows leads on from there, with the filters.
      const follow = async (url: string | null) => list(new URL(url ?? '').search, owner.client);
      expect((await follow(first.next_page_url)).data).toEqual(second.data);
      expect((await follow(second.next_page_url)).data).toEqual(third.data);
      expect(await list('?per_page=2&page=9', owner.client)).toMatchObject({
        data: [],
        next_cursor: null,
        prev_cursor: null,
      });
    });

    it('neither repeat nor omit any when new ones are created between', async () => {
      const first = await list('?per_page=2', owner.client);
      await owner.client.post('/conversations', { assistant_id: uuid });
      const second = await list(`?per_page=2&cursor=${first.next_cursor}`, owner.client);
      expect(second.data.map(({ id }) => id)).toEqual(all.slice(2, 4));
      expect(second.total).toBe(6);
      const newest = await list(`?per_page=2&cursor=${second.prev_cursor}`, owner.client);
      expect(newest.data.map(({ id }) => id)).toEqual(all.slice(0, 2));
      expect(newest.prev_cursor).not.toBeNull();
    });

    it('refuse a cursor that the service did not issue', async () => {
      const { next_cursor } = await list('?per_page=2', owner.client);
      const cursor = String(next_cursor);
      const changed = (cursor[5] === 'A' ? 'B' : 'A') + cursor.slice(6);
      const forged = Buffer.from('{"created_at":"2026-01-31","id":1}').toString('base64url');
      for (const wrong of [cursor.slice(0, 5) + changed, cursor.slice(0, -1), `${cursor}A`, 'x', forged]) {
        const { status, body } = await owner.client.get<Refused>(`/user/conversations?cursor=${wrong}`);
        expect([wrong, status, body.errors]).toEqual([
          wrong,
          422,
          { cursor: ['The selected cursor is invalid.'] },
        ]);
      }
      expect((await list('?cursor=', owner.client)).data).toHaveLength(6);
      // It names a place and opens nothing.
      expect((await list(`?cursor=${cursor}`, other.client)).data).toEqual([]);
    });
  });

  it('is for the user only', async () => {
    expect((await list('', (await anAccount()).client)).total).toBe(0);
    expect((await new Client(null).get('/user/conversations')).status).toBe(401);
  });
});
