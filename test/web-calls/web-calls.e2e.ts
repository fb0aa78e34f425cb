import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant, ORIGIN, Visitor } from '../factories/conversation.js';
import { beginWebCall as begin, Browser, type WebCall } from '../factories/web-call.js';
import { secretOf, verified } from '../factories/webhook.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** Of the plan `standard`. */
const MINUTE = 0.05;

interface Record {
  type: string;
  status: string;
  client_phone_number: string;
  transcript: string;
  ended_by: string;
  ended_reason: string;
  total_cost: number;
  duration: number;
  evaluation: object;
  settings_not_applied: string[];
  webhook_response: { status_code?: number };
}

const balance = async ({ client }: TestAccount) =>
  (await client.get<{ total_balance: number; available_balance: number }>('/user/me')).body;

const recordOf = async (account: TestAccount, { call_id }: WebCall): Promise<Record> => {
  await callWhen(account, call_id, ({ status }) => status === 'completed');
  return (await account.client.get<Record>(`/user/calls/${call_id}`)).body;
};

describe('a web call', () => {
  let account: TestAccount;
  let receiver: Receiver;
  let assistantId: number;

  beforeAll(async () => {
    account = await anAccount();
    receiver = await Receiver.open();
    receiver.reply = () => ({ body: '{"order":"shipped"}' });
    const tool = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: receiver.url,
      method: 'POST',
      schema: [{ name: 'order', type: 'string', description: 'Number of the order.' }],
    });
    assistantId = await anAssistant(account, {
      initial_message: 'Hello {name}, how can I help you?',
      tool_ids: [tool.body.data.id],
      is_webhook_active: true,
      webhook_url: receiver.url,
      record_call: true,
      post_call_schema: [{ name: 'summary', type: 'string', description: 'What was said' }],
    });
  });

  afterAll(() => receiver.close());

  it('is held in text, uses a tool, is stored, evaluated, charged and reported', async () => {
    const before = await balance(account);
    const call = await begin(account, { assistant_id: assistantId, variables: { name: 'Ada' } });
    expect(call).toEqual({
      call_id: expect.any(Number),
      token: expect.stringMatching(/^[\w-]{32}$/),
      url: expect.stringMatching(/^ws:.*\/web-calls\//),
      expires_in: 60,
      line: 'text',
    });
    expect((await balance(account)).available_balance).toBeLessThan(before.available_balance);
    const browser = await Browser.open(call.url);
    expect(await browser.frame(({ type }) => type === 'ready')).toEqual({
      type: 'ready',
      line: 'text',
      token: expect.stringMatching(/^[\w-]{32}$/),
      language: 'en-US',
      rate: 1,
    });
    // Nothing is recorded, whatever the assistant's setting says.
    expect(await browser.hears(/help you/)).toBe('Hello Ada, how can I help you?');
    browser.says('Where is my order 4711?');
    await browser.hears(/shipped/);
    browser.says('Thank you, goodbye.');
    expect(await browser.frame(({ type }) => type === 'end')).toEqual({ type: 'end', reason: 'goodbye' });
    browser.socket.close(1000);

    const record = await recordOf(account, call);
    expect(record).toMatchObject({
      type: 'web',
      client_phone_number: '',
      ended_by: 'assistant',
      ended_reason: 'goodbye',
      total_cost: MINUTE,
      evaluation: { summary: expect.any(String) },
    });
    expect(record.transcript).toMatch(
      /^AI: Hello Ada, how can I help you\?\nCustomer: Where is my order 4711\?\n(.|\n)*shipped(.|\n)*Customer: Thank you, goodbye\./,
    );
    expect(record.settings_not_applied).toEqual(expect.arrayContaining(['voice_id', 'record_call']));
    expect(record.settings_not_applied).not.toContain('engine_type');
    const after = await balance(account);
    expect(after.total_balance).toBeCloseTo(before.total_balance - MINUTE, 6);
    expect(after.available_balance).toBe(after.total_balance);

    await until(async () => (await recordOf(account, call)).webhook_response.status_code === 200);
    const hooks = receiver.received.filter(({ headers }) => headers['webhook-event'] === 'call.completed');
    expect(hooks).toHaveLength(1);
    const secret = await secretOf(account);
    expect(verified(secret, hooks[0] as never)).toMatchObject({ id: call.call_id, type: 'web', lead: null });
    const list = await account.client.get<{ data: { id: number }[] }>('/user/calls?type=web');
    expect(list.body.data.map(({ id }) => id)).toEqual([call.call_id]);
  });

  it('ends when the customer ends it, and keeps the heard part', async () => {
    const call = await begin(account, { assistant_id: assistantId });
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    browser.send({ type: 'end' });
    expect(await browser.closed).toBe(1000);
    expect(await recordOf(account, call)).toMatchObject({
      ended_by: 'customer',
      ended_reason: 'customer_hangup',
      transcript: 'AI: Hello , how can I help you?',
    });
  });

  it('reports what a multimodal assistant without a realtime model lacks on a text line', async () => {
    const id = await anAssistant(account, { engine_type: 'multimodal' });
    const call = await begin(account, { assistant_id: id });
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    browser.socket.close(1000);
    expect((await recordOf(account, call)).settings_not_applied[0]).toBe('engine_type');
  });

  it('keeps words without characters that the database refuses, of the customer, tools and the model', async () => {
    const call = await begin(account, { assistant_id: assistantId });
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    receiver.reply = () => ({ body: 'shipped\0 today' });
    browser.says('Where is my order 4711\0?');
    await browser.hears(/today/);
    receiver.reply = () => ({ body: '{"order":"shipped"}' });
    browser.says('Thank you, goodbye.');
    await browser.frame(({ type }) => type === 'end');
    browser.socket.close(1000);
    const { transcript } = await recordOf(account, call);
    expect(transcript).toMatch(/\nCustomer: Where is my order 4711\?\n(.|\n)*shipped today/);
    const { body } = await account.client.get<{ data: { turns: { role: string }[] } }>(
      `/user/calls/${call.call_id}/turns`,
    );
    expect(body.data.turns.map(({ role }) => role)).toContain('tool');
  });

  it('creates one call for a repeated request with a key', async () => {
    const send = () =>
      account.client.post<WebCall>(
        '/user/web-calls',
        { assistant_id: assistantId },
        { 'Idempotency-Key': `web-${account.id}` },
      );
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    const browser = await Browser.open(first.body.url);
    browser.socket.close(1000);
    await recordOf(account, first.body);
  });

  it('ignores frames without a meaning', async () => {
    const call = await begin(account, { assistant_id: assistantId });
    const browser = await Browser.open(call.url);
    for (const text of ['{', '[]', 'null', '{"type":"speaking","who":"nobody","on":1}', '{"type":"digit"}'])
      browser.socket.send(text);
    browser.socket.send(Buffer.from([1, 2, 3]));
    browser.says('Where is my order 4711?');
    await browser.hears(/shipped/);
    browser.socket.close(1000);
    await recordOf(account, call);
  });
});

describe('who may begin a web call', () => {
  let account: TestAccount;
  const visitor = new Visitor();
  const from = (origin: string | null, uuid: string, fields: object = {}) =>
    visitor.client.post<WebCall & { message: string }>(
      '/web-calls',
      { assistant_id: uuid, ...fields },
      origin === null ? {} : { Origin: origin },
    );

  beforeAll(async () => {
    account = await anAccount();
  });

  it('are pages of allowed origins, without a token', async () => {
    const { uuid, id } = await aWidgetAssistant(account, {
      widget_settings: { enabled: true, allowed_origins: [ORIGIN], color: '#123456', note: 'private' },
    });
    const begun = await from(ORIGIN, uuid);
    expect(begun.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(begun.headers.get('access-control-allow-credentials')).toBeNull();
    const browser = await Browser.open(begun.body.url);
    await browser.hears(/help you/);
    browser.socket.close(1000);
    await recordOf(account, begun.body);
    for (const origin of ['https://evil.example', null]) {
      const { status, body, headers } = await from(origin, uuid);
      expect([status, body]).toEqual([403, { message: 'This origin is not allowed.' }]);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    const widget = await visitor.client.get(`/web-calls/widgets/${uuid}`, { Origin: ORIGIN });
    expect(widget.body).toEqual({ language: 'en-US', line: 'text', settings: { color: '#123456' } });
    expect(
      (await visitor.client.get(`/web-calls/widgets/${uuid}`, { Origin: 'https://x.example' })).status,
    ).toBe(403);
    await account.client.put(`/user/assistant/${id}`, { widget_settings: { enabled: false } });
    expect((await from(ORIGIN, uuid)).status).toBe(403);
    expect((await visitor.client.get(`/web-calls/widgets/${uuid}`)).status).toBe(403);
  });

  it('get the reason of a refusal in the page', async () => {
    const { uuid, id } = await aWidgetAssistant(account);
    const wrong = await from(ORIGIN, uuid, { variables: 'x' });
    expect([wrong.status, wrong.body.message]).toEqual([422, 'The given data was invalid.']);
    expect(wrong.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const missing = await from(ORIGIN, '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11');
    expect([missing.status, missing.body.message]).toEqual([404, 'Assistant not found']);
    await account.client.put(`/user/assistant/${id}`, { status: 'inactive' });
    const inactive = await from(ORIGIN, uuid);
    expect([inactive.status, inactive.body.message]).toEqual([422, 'The assistant is not active.']);
  });

  it('are users for their own assistants', async () => {
    const other = await anAccount();
    const assistant_id = await anAssistant(account);
    const { status, body } = await other.client.post('/user/web-calls', { assistant_id });
    expect([status, body]).toEqual([404, { message: 'Assistant not found' }]);
  });

  it('excludes accounts without balance, or beyond the parallel calls of the plan', async () => {
    const poor = await anAccount({ balance: 0 });
    const refused = await poor.client.post('/user/web-calls', { assistant_id: await anAssistant(poor) });
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: 'Insufficient balance to make call. Please top up your account.' },
    ]);
    const user = await anAccount();
    const assistant_id = await anAssistant(user);
    const calls: WebCall[] = [];
    let last = await user.client.post<WebCall & { message: string }>('/user/web-calls', { assistant_id });
    while (last.status === 200 && calls.length < 50) {
      calls.push(last.body);
      last = await user.client.post('/user/web-calls', { assistant_id });
    }
    expect([last.status, last.body.message]).toEqual([
      422,
      'The maximum number of parallel calls is reached.',
    ]);
    const browser = await Browser.open(calls[0]?.url ?? '');
    browser.socket.close(1000);
    await recordOf(user, calls[0] as WebCall);
    expect((await user.client.post('/user/web-calls', { assistant_id })).status).toBe(200);
  });
});
