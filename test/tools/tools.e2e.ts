import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
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
    const assistant = await anAssistant(mine, { tool_ids: [id] });
    const removed = await mine.client.delete<{ message: string }>(`/user/tools/${id}`);
    expect([removed.status, removed.body]).toEqual([200, { message: 'Tool deleted successfully' }]);
    const path = `/user/assistant/${assistant}`;
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
