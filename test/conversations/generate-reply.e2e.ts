import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { aWidgetAssistant, ORIGIN, Visitor, type Said } from '../factories/conversation.js';
import { type Client } from '../support/client.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';

const PRICE = 0.01;
const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';
const ORDER = 'Where is my order 4711?';

interface Reply {
  success: boolean;
  conversation_id: string;
  customer_identifier: string;
  reply: string | null;
  function_calls: Said['function_calls'];
  ai_disabled: boolean;
  errors?: Record<string, string[]>;
}

interface History {
  history: { role: string; content: string; function_calls?: Said['function_calls'] }[];
  variables: Record<string, unknown>;
  external_identifier?: string;
}

describe('POST /user/ai/generate-reply', () => {
  let account: TestAccount;
  let other: TestAccount;
  let assistant: { id: number; uuid: string };
  let tools: Receiver;
  let toolId: number;

  beforeAll(async () => {
    [account, other] = await Promise.all([anAccount(), anAccount()]);
    tools = await Receiver.open();
    tools.reply = () => ({ body: '{"order":"shipped"}' });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: tools.url,
      method: 'POST',
      schema: [{ name: 'order', type: 'string', description: 'Number of the order.' }],
    });
    toolId = body.data.id;
    assistant = await aWidgetAssistant(account, {
      widget_settings: {},
      variables: { shop: 'Wheels' },
      tool_ids: [toolId],
    });
  });

  afterAll(() => tools.close());

  let sequence = 0;
  const aCustomer = (): string => `customer ${++sequence}`;
  const ask = (fields: object, client = account.client, headers = {}, path = '/user/ai/generate-reply') =>
    client.post<Reply>(path, { assistant_id: assistant.uuid, message: 'Hello', ...fields }, headers);
  const shown = async (id: string): Promise<History> =>
    (await account.client.get<History>(`/conversations/${id}`)).body;
  const messages = async (id: string): Promise<string[]> => (await shown(id)).history.map(({ role }) => role);
  const balance = async (): Promise<number> =>
    (await account.client.get<{ total_balance: number }>('/user/me')).body.total_balance;
  const setAi = (id: string, what: 'enable-ai' | 'disable-ai', client = account.client) =>
    client.post<{ status: boolean; ai_enabled?: boolean }>(`/automate/conversations/${id}/${what}`);

  it('answers in one conversation for each customer', async () => {
    const before = await balance();
    const customer_identifier = aCustomer();
    const first = await ask({ customer_identifier, message: ORDER, variables: { name: 'Ada' } });
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        conversation_id: expect.any(String),
        customer_identifier,
        reply: expect.stringContaining('shipped'),
        function_calls: [
          { name: 'order_status', arguments: { order: expect.any(String) }, result: { order: 'shipped' } },
        ],
        ai_disabled: false,
      },
    ]);
    const again = { customer_identifier, assistant_id: assistant.id, variables: { tier: 'gold' } };
    const second = await ask(again, account.client, {}, '/ai/generate-reply');
    const id = first.body.conversation_id;
    expect([second.status, second.body.conversation_id]).toEqual([200, id]);
    expect(before - (await balance())).toBeCloseTo(2 * PRICE, 6);
    expect(await shown(id)).toEqual({
      status: true,
      // Nobody was greeted.
      history: [
        { role: 'user', content: ORDER },
        { role: 'assistant', content: first.body.reply, function_calls: first.body.function_calls },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: second.body.reply },
      ],
      variables: { shop: 'Wheels', name: 'Ada', tier: 'gold' },
      external_identifier: customer_identifier,
    });
    for (const fields of [
      { customer_identifier: aCustomer() },
      { customer_identifier: `${customer_identifier} ` },
    ]) {
      expect((await ask(fields)).body.conversation_id).not.toBe(id);
    }
    expect(
      (await ask({ customer_identifier: customer_identifier.toUpperCase() })).body.conversation_id,
    ).not.toBe(id);
  });

  it('hides the results of tools from visitors, in answers and in the history', async () => {
    const tool_ids = [toolId];
    const closed = await aWidgetAssistant(account, { tool_ids });
    const visitor = new Visitor();
    const id = await visitor.began(closed.uuid);
    const said = await visitor.say(id, ORDER);
    const hidden = [{ name: 'order_status', arguments: {} }];
    const seen = async (): Promise<unknown> => (await visitor.history(id)).at(-1)?.function_calls;
    expect([said.body.function_calls, await seen()]).toEqual([hidden, hidden]);
    const whole = [
      { name: 'order_status', arguments: { order: expect.any(String) }, result: { order: 'shipped' } },
    ];
    expect((await shown(id)).history.at(-1)?.function_calls).toEqual(whole);
    const settings = { enabled: true, allowed_origins: [ORIGIN], show_tool_results: true };
    await account.client.put(`/user/assistant/${closed.id}`, { widget_settings: settings });
    expect(await seen()).toEqual(whole);
  });

  it('creates one conversation for simultaneous first messages', async () => {
    const customer_identifier = aCustomer();
    const answers = await Promise.all(
      ['Hello', 'What is your name?', 'And now?'].map((message) => ask({ customer_identifier, message })),
    );
    const ids = new Set(answers.map(({ body }) => body.conversation_id));
    expect([answers.map(({ status }) => status), ids.size]).toEqual([[200, 200, 200], 1]);
    expect(await messages([...ids][0] ?? '')).toHaveLength(6);
  });

  it('begins another conversation when the last one has ended', async () => {
    const customer_identifier = aCustomer();
    const { body } = await ask({ customer_identifier, message: 'Goodbye!' });
    expect(body.function_calls).toMatchObject([{ name: 'end_call' }]);
    const next = await ask({ customer_identifier });
    expect([next.status, next.body.conversation_id === body.conversation_id]).toEqual([200, false]);
  });

  it('answers and charges a request with a key once', async () => {
    const before = await balance();
    const customer_identifier = aCustomer();
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [
      await ask({ customer_identifier }, account.client, headers),
      await ask({ customer_identifier }, account.client, headers),
    ];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await ask({ customer_identifier, message: 'No' }, account.client, headers)).status).toBe(422);
    expect(await messages(first.body.conversation_id)).toHaveLength(2);
    expect(before - (await balance())).toBeCloseTo(PRICE, 6);
    // The process died before it kept the answer: the conversation has it, even when it is over.
    const bye = { customer_identifier: aCustomer(), message: 'Goodbye!' };
    const key = { 'Idempotency-Key': randomUUID() };
    const answered = await ask(bye, account.client, key);
    await database().query(
      `UPDATE idempotency_keys SET status_code = NULL, body = NULL, locked_until = now() WHERE account_id = $1 AND key = $2`,
      [account.id, key['Idempotency-Key']],
    );
    const repeated = await ask(bye, account.client, key);
    expect([repeated.status, repeated.body]).toEqual([200, answered.body]);
    expect(before - (await balance())).toBeCloseTo(2 * PRICE, 6);
  });

  it('reports what is wrong in the documented forms', async () => {
    const customer_identifier = aCustomer();
    const notFound = (assistant_id: unknown, client: Client) =>
      ask({ assistant_id, customer_identifier }, client);
    for (const answer of [
      await notFound(MISSING, account.client),
      await notFound(2_147_483_000, account.client),
      await notFound(assistant.uuid, other.client),
      await notFound(assistant.id, other.client),
    ]) {
      const message = 'Assistant not found';
      const body = { message, success: false, error: message, code: 'ASSISTANT_NOT_FOUND' };
      expect([answer.status, answer.body]).toEqual([404, body]);
    }
    for (const [field, value] of [
      ['assistant_id', 'Ada'],
      ['assistant_id', null],
      ['customer_identifier', ''],
      ['customer_identifier', 'x'.repeat(256)],
      ['message', ''],
      ['message', 'x'.repeat(2001)],
      ['variables', 'x'],
    ] as const) {
      const { status, body } = await ask({ customer_identifier, [field]: value });
      expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 422, [field]]);
    }
    const poor = await anAccount({ balance: 1.5 * PRICE });
    const { uuid } = await aWidgetAssistant(poor);
    const fields = { assistant_id: uuid, customer_identifier };
    expect((await ask(fields, poor.client)).status).toBe(200);
    for (const customer of [customer_identifier, aCustomer()]) {
      const { status, body } = await ask({ ...fields, customer_identifier: customer }, poor.client);
      const message = 'Insufficient balance. Please top up your account.';
      expect([status, body]).toEqual([
        402,
        { message, success: false, error: message, code: 'INSUFFICIENT_BALANCE' },
      ]);
    }
    expect((await poor.client.get<{ total: number }>('/user/conversations')).body.total).toBe(1);
  });

  it('keeps the variables of a conversation within their limit', async () => {
    const customer_identifier = aCustomer();
    const large = (name: string) => ({ customer_identifier, variables: { [name]: 'x'.repeat(15_000) } });
    const statuses = [];
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e']) statuses.push((await ask(large(name))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 422]);
  });

  it('needs the scope for messages', async () => {
    const [writer, others] = await Promise.all([
      anApiKey(account, { scopes: ['messages'] }),
      anApiKey(account, { scopes: ['read', 'calls', 'write'] }),
    ]);
    const customer_identifier = aCustomer();
    const { status, body } = await ask({ customer_identifier }, writer.client);
    expect(status).toBe(200);
    expect((await setAi(body.conversation_id, 'disable-ai', writer.client)).status).toBe(200);
    expect((await ask({ customer_identifier }, others.client)).status).toBe(403);
    expect((await setAi(body.conversation_id, 'enable-ai', others.client)).status).toBe(403);
  });
});
