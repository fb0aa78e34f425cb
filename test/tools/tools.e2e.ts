import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant } from '../factories/assistant.js';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Tool {
  id: number;
  name: string;
  timeout: number;
  headers: object[];
  schema: object[];
  created_at: string;
}
type One = { message: string; data: Tool };

const body = {
  name: 'check_order',
  description: 'Looks up an order.',
  endpoint: 'https://example.com/orders',
  method: 'POST',
};
const schema = [{ name: 'order', type: 'string', description: 'Number of the order' }];
const headers = [{ name: 'X-Api-Key', value: 'k' }];

let mine: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  [mine, other] = await Promise.all([anAccount(), anAccount()]);
});

const create = (account: TestAccount, more = {}): Promise<Answer<One>> =>
  account.client.post<One>('/user/tools', { ...body, ...more });

describe('a mid call tool', () => {
  it('is created with the documented defaults', async () => {
    const { status, body: answer } = await create(mine);
    expect([status, answer.message]).toEqual([201, 'Tool created successfully']);
    expect(answer.data).toMatchObject({ ...body, timeout: 10, headers: [], schema: [] });
    expect(answer.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('keeps fields that an update does not contain, and replaces headers and schema', async () => {
    const { data } = (await create(mine, { headers, schema, timeout: 5 })).body;
    const renamed = await mine.client.put<One>(`/user/tools/${data.id}`, { name: 'other_name' });
    expect(renamed.body.message).toBe('Tool updated successfully');
    expect(renamed.body.data).toMatchObject({ name: 'other_name', timeout: 5, headers, schema });
    const emptied = await mine.client.put<One>(`/user/tools/${data.id}`, {
      headers: [],
      schema: [...schema, ...schema],
    });
    expect(emptied.body.data).toMatchObject({ headers: [], schema: [...schema, ...schema] });
  });

  it('returns the documented errors of its name', async () => {
    for (const name of ['Check', '1st', 'check-order', '_x']) {
      const { status, body: answer } = await create(mine, { name });
      expect([name, status, answer]).toEqual([
        name,
        422,
        {
          message: 'Validation failed',
          errors: {
            name: ['Tool name must contain only lowercase letters and underscores, and start with a letter.'],
          },
        },
      ]);
    }
  });

  it('returns the index of an invalid item', async () => {
    const wrong = [schema[0], { ...schema[0], type: 'date' }];
    const { status, body: answer } = await create(mine, { schema: wrong });
    expect([status, answer]).toEqual([
      422,
      { message: 'Validation failed', errors: { 'schema.1.type': ['The selected type is invalid.'] } },
    ]);
  });

  it('is listed to its owner only, newest first', async () => {
    const first = (await create(other)).body.data.id;
    const second = (await create(other)).body.data.id;
    const { body: tools } = await other.client.get<Tool[]>('/user/tools');
    expect(tools.map(({ id }) => id)).toEqual([second, first]);
    expect((await mine.client.get(`/user/tools/${first}`)).status).toBe(404);
  });

  it('disappears from assistants when it is deleted', async () => {
    const { id } = (await create(mine)).body.data;
    const assistant = await mine.client.post<{ data: { id: number } }>('/user/assistant', {
      assistant_name: 'Ada',
      voice_id: 1,
      language: 'English',
      llm_model: 'gpt-6-luna',
      calls_direction: 'make',
      engine_type: 'pipeline',
      timezone: 'UTC',
      initial_message: 'Hello.',
      system_prompt: 'Be kind.',
      tool_ids: [id],
    });
    const removed = await mine.client.delete<{ message: string }>(`/user/tools/${id}`);
    expect([removed.status, removed.body]).toEqual([200, { message: 'Tool deleted successfully' }]);
    const path = `/user/assistant/${assistant.body.data.id}`;
    const { body: left } = await mine.client.get<{ data: { tools: Tool[] } }>(path);
    expect(left.data.tools).toEqual([]);
  });

  it('is not found by an update during its deletion', async () => {
    const { id } = (await create(mine)).body.data;
    const deletion = await database().connect();
    await deletion.query('BEGIN');
    await deletion.query('DELETE FROM tools WHERE id = $1', [id]);
    const update = mine.client.put<One>(`/user/tools/${id}`, { name: 'other_name' });
    await until(async () => (await waitingFor('tools')) > 0);
    await deletion.query('COMMIT');
    deletion.release();
    const { status, body: answer } = await update;
    expect([status, answer]).toEqual([404, { message: 'Tool not found' }]);
  });
});

/** Statements on the table that wait for a lock. */
async function waitingFor(table: string): Promise<number> {
  const { rows } = await database().query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"' || $1 || '"%'`,
    [table],
  );
  return rows[0]?.n ?? 0;
}

it('creates five of fifty concurrent requests with a limit of five', async () => {
  const small = await anAccount({ plan: 'free' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(small)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status === 422);
  expect(refused).toHaveLength(45);
  expect(refused[0]?.text).toBe(
    '{"message":"You have reached your plan limit of 5 mid call tools. Please upgrade your plan to create more tools."}',
  );
});

describe('the list of tools', () => {
  it('accepts missing headers, and refuses an Accept header without JSON', async () => {
    const ask = async (more: Record<string, string>) => {
      const { status, body: answer } = await mine.client.get<{ message?: string }>('/user/tools', more);
      return [status, answer.message];
    };
    expect(await ask({ Accept: '*/*' })).toEqual([200, undefined]);
    expect(await ask({ Accept: 'text/html, application/json;q=0.5' })).toEqual([200, undefined]);
    expect(await ask({ Accept: 'text/html' })).toEqual([406, 'Not Acceptable']);
    expect(await ask({ 'Content-Type': 'text/plain' })).toEqual([415, 'Unsupported Media Type']);
    expect(await ask({ 'Content-Type': 'application/json; charset=utf-8' })).toEqual([200, undefined]);
  });
});

describe('header values of tools', () => {
  const SECRET = [
    { name: 'X-Crm-Key', value: 'secret of the CRM' },
    { name: 'Accept', value: 'text/plain' },
  ];
  const MASKED = SECRET.map(({ name }) => ({ name, value: '••••••' }));
  const stored = async (id: number) => (await mine.client.get<Tool>(`/user/tools/${id}`)).body.headers;

  it('are shown to tokens with write, masked for others', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const assistant = await anAssistant(mine, { tool_ids: [data.id] });
    const inLists = async (client: typeof mine.client) => {
      const paths = [
        '/user/assistants',
        '/user/assistants/get?per_page=5',
        '/user/assistants/get?per_page=50',
      ];
      const texts = await Promise.all(paths.map(async (path) => (await client.get(path)).text));
      const { body: one } = await client.get<{ data: { tools: Tool[] } }>(`/user/assistant/${assistant}`);
      const { body: all } = await client.get<Tool[]>('/user/tools');
      const { body: tool } = await client.get<Tool>(`/user/tools/${data.id}`);
      const shown = [one.data.tools[0], all.find(({ id }) => id === data.id), tool].map(
        (found) => found?.headers,
      );
      return { shown, inTexts: texts.map((text) => text.includes('secret of the CRM')) };
    };
    expect(await inLists(mine.client)).toEqual({
      shown: [SECRET, SECRET, SECRET],
      inTexts: [true, true, true],
    });
    for (const scopes of [['read'], ['read', 'calls', 'messages']]) {
      const { client } = await anApiKey(mine, { scopes });
      expect(await inLists(client)).toEqual({
        shown: [MASKED, MASKED, MASKED],
        inTexts: [false, false, false],
      });
    }
    const { client } = await anApiKey(mine, { scopes: ['write'] });
    expect((await client.put<One>(`/user/tools/${data.id}`, { timeout: 3 })).body.data.headers).toEqual(
      SECRET,
    );
  });

  it('are kept where the mask is written back, each for its name', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
    expect((await put({ headers: MASKED })).body.data.headers).toEqual(SECRET);
    const changed = [{ name: 'accept', value: '••••••' }, { name: 'X-New', value: 'new' }, MASKED[0]];
    expect((await put({ headers: changed })).body.data.headers).toEqual([
      { name: 'accept', value: 'text/plain' },
      { name: 'X-New', value: 'new' },
      SECRET[0],
    ]);
    expect((await put({ headers: SECRET, name: 'renamed' })).body.data).toMatchObject({ headers: SECRET });
  });

  it('are no masks of what is not known', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const refused = { message: 'Validation failed' };
    for (const answer of [
      await create(mine, { headers: MASKED }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [...MASKED, MASKED[0]] }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [{ name: 'X-Other', value: '••••••' }] }),
      await mine.client.put(`/user/tools/${data.id}`, { headers: [{ name: 'Accept', value: 'a••••••' }] }),
    ])
      expect([answer.status, answer.body]).toMatchObject([422, refused]);
    expect(await stored(data.id)).toEqual(SECRET);
  });

  it('follow the endpoint to another host only where they are given', async () => {
    const { data } = (await create(mine, { headers: SECRET })).body;
    const put = (fields: object) => mine.client.put<One>(`/user/tools/${data.id}`, fields);
    for (const endpoint of [
      'https://evil.example/orders',
      'http://example.com/orders',
      'https://example.com:8443/',
    ]) {
      const { status, body: answer } = await put({ endpoint, headers: MASKED });
      expect([endpoint, status, answer]).toEqual([
        endpoint,
        422,
        {
          message: 'Validation failed',
          errors: {
            headers: ['The headers field must have their values where the host of the endpoint changes.'],
          },
        },
      ]);
    }
    expect((await put({ endpoint: 'https://example.com/other', headers: MASKED })).body.data.headers).toEqual(
      SECRET,
    );
    expect((await put({ endpoint: 'https://example.org/', headers: SECRET })).status).toBe(200);
  });
});
