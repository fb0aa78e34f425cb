import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { aWidgetAssistant, ORIGIN, Visitor, type Begun, type Refused } from '../factories/conversation.js';
import { beginWebCall, Browser, type WebCall } from '../factories/web-call.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';

/** Of the plan `standard`: ten parallel calls, so two of visitors. */
const MINUTE = 0.05;
const MESSAGE = 0.01;

const visitor = new Visitor();
type Answer = WebCall & { message: string; retry_after?: number };

const widget = (more: object = {}) => ({
  widget_settings: { enabled: true, allowed_origins: [ORIGIN], ...more },
});
const begin = (uuid: string, fields: object = {}, client = visitor.client) =>
  client.post<Answer>('/web-calls', { assistant_id: uuid, ...fields }, { Origin: ORIGIN });
const began = async (uuid: string): Promise<WebCall> => {
  const { status, text, body } = await begin(uuid);
  if (status !== 200) throw new Error(`no web call: ${status} ${text}`);
  return body;
};
/** All tests have one address: the call becomes that of another one. */
const ofAnotherAddress = ({ call_id }: WebCall) =>
  database().query('UPDATE calls SET visitor = $2 WHERE id = $1', [call_id, `other ${call_id}`]);
const held = async (account: TestAccount): Promise<number> => {
  const { body } = await account.client.get<{ total_balance: number; available_balance: number }>('/user/me');
  return Math.round((body.total_balance - body.available_balance) * 100) / 100;
};
const recordOf = async ({ client }: TestAccount, { call_id }: WebCall) =>
  (await client.get<Record<string, unknown>>(`/user/calls/${call_id}`)).body;

describe('calls of visitors', () => {
  it('use no slot and hold one minute before their lines open, two of an address', async () => {
    const account = await anAccount();
    const { id, uuid } = await aWidgetAssistant(account);
    const other = await aWidgetAssistant(account);
    await began(uuid);
    await began(other.uuid);
    expect(await held(account)).toBe(2 * MINUTE);
    for (const one of [uuid, other.uuid]) {
      const { status, body } = await begin(one);
      expect([status, body]).toMatchObject([429, { retry_after: 60 }]);
    }
    // Another tenant's widget, and the account with its token.
    await began((await aWidgetAssistant(await anAccount())).uuid);
    expect((await begin(uuid, {}, account.client)).status).toBe(200);
    for (let calls = 1; calls < 10; calls += 1) await beginWebCall(account, { assistant_id: id });
    const refused = await account.client.post('/user/web-calls', { assistant_id: id });
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: 'The maximum number of parallel calls is reached.' },
    ]);
  });

  it('use the hold of a call and a quarter of the slots when their lines open', async () => {
    const account = await anAccount();
    const { id, uuid } = await aWidgetAssistant(account, { max_call_duration: 300 });
    const calls: WebCall[] = [];
    for (let count = 0; count < 3; count += 1) {
      calls.push(await began(uuid));
      await ofAnotherAddress(calls[count] as WebCall);
    }
    const browsers = [];
    for (const { url } of calls) browsers.push(await Browser.open(url));
    const [first, , last] = browsers;
    await first?.hears(/help you/);
    expect(await last?.frame(({ type }) => type === 'end')).toEqual({ type: 'end', reason: 'busy' });
    expect(await last?.closed).toBe(1000);
    expect(await held(account)).toBe(2 * 5 * MINUTE);
    expect(await recordOf(account, calls[2] as WebCall)).toMatchObject({
      status: 'no-answer',
      ended_reason: 'plan_limit',
      total_cost: 0,
    });
    const { status, body } = await begin(uuid);
    expect([status, body.message]).toEqual([422, 'The maximum number of parallel calls is reached.']);
    expect(await beginWebCall(account, { assistant_id: id })).toMatchObject({ expires_in: 60 });
    first?.socket.close(1000);
    await callWhen(account, calls[0]?.call_id ?? 0, (call) => call.status === 'completed');
    const next = await Browser.open((await began(uuid)).url);
    await next.hears(/help you/);
    for (const { socket } of [...browsers, next]) socket.close(1000);
  });

  it("end without a line where the account's own calls use every slot", async () => {
    const account = await anAccount();
    const { id, uuid } = await aWidgetAssistant(account);
    const call = await began(uuid);
    for (let calls = 0; calls < 10; calls += 1) await beginWebCall(account, { assistant_id: id });
    const browser = await Browser.open(call.url);
    expect(await browser.frame(({ type }) => type === 'end')).toEqual({ type: 'end', reason: 'busy' });
    await expect(Browser.open(call.url)).rejects.toThrow('404');
    expect(await held(account)).toBeGreaterThan(0);
    expect((await begin(uuid)).status).toBe(422);
  });
});

describe('the daily budget of a widget', () => {
  const used = { message: 'The budget of this widget for today is used up.' };
  const refusal = { status: false, ...used, error: used.message };

  it("is the limit of holds and costs of visitors' calls, each widget its own", async () => {
    const account = await anAccount();
    const { id, uuid } = await aWidgetAssistant(account, widget({ daily_budget: 2 * MINUTE }));
    const call = await began(uuid);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    expect(await held(account)).toBe(2 * MINUTE);
    const { status, body, headers } = await begin(uuid);
    expect([status, body]).toMatchObject([429, used]);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    await ofAnotherAddress(await began((await aWidgetAssistant(account)).uuid));
    await beginWebCall(account, { assistant_id: id });
    browser.socket.close(1000);
    await callWhen(account, call.call_id, (one) => one.status === 'completed');
    await began(uuid);
    expect((await begin(uuid)).body).toMatchObject(used);
  });

  it("is the limit of costs of visitors' messages, and not those of the account", async () => {
    const account = await anAccount();
    const { uuid } = await aWidgetAssistant(account, widget({ daily_budget: 2 * MESSAGE }));
    const id = await visitor.began(uuid);
    const statuses = [];
    for (const text of ['Hello', 'What is your name?', 'And now?'])
      statuses.push((await visitor.say<Refused>(id, text)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await visitor.say<Refused>(id, 'And now?')).body).toMatchObject(refusal);
    expect((await visitor.begin<Refused>(uuid)).body).toMatchObject(refusal);
    const own = await account.client.post<Begun>(
      '/conversations',
      { assistant_id: uuid, type: 'widget' },
      { Origin: ORIGIN },
    );
    expect(own.status).toBe(200);
  });

  it('counts messages of today in conversations of yesterday, and those to conversations of the account', async () => {
    const account = await anAccount();
    const { uuid } = await aWidgetAssistant(account, widget({ daily_budget: 2 * MESSAGE }));
    const old = await visitor.began(uuid);
    const { body } = await account.client.post<Begun>('/conversations', { assistant_id: uuid });
    await database().query(`UPDATE chats SET created_at = '2026-01-01' WHERE uuid = $1`, [old]);
    const statuses = [];
    for (const id of [old, body.conversation_id, old])
      statuses.push((await visitor.say<Refused>(id, 'Hello')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('is a tenth of the balance where it is not set', async () => {
    const poor = await aWidgetAssistant(await anAccount({ balance: 9 * MINUTE }));
    expect((await begin(poor.uuid)).body).toMatchObject(used);
    const account = await anAccount({ balance: 10 * MINUTE });
    const { uuid } = await aWidgetAssistant(account);
    await began(uuid);
    expect((await begin(uuid)).body).toMatchObject(used);
  });

  it.each([
    [{ daily_budget: -1 }, 'daily_budget', 'The daily budget field must be a number from 0 to 1000000.'],
    [{ daily_budget: 'much' }, 'daily_budget', 'The daily budget field must be a number from 0 to 1000000.'],
    [{ visitor_variables: 'name' }, 'visitor_variables', 'The visitor variables field must be an array.'],
    [
      { visitor_variables: [1] },
      'visitor_variables',
      'The visitor variables field must be a list of names of variables.',
    ],
    [{ show_tool_results: 'x' }, 'show_tool_results', 'The show tool results field must be true or false.'],
  ])('and other rules are refused: %j', async (more, key, message) => {
    const account = await anAccount();
    const id = await anAssistant(account);
    const { status, body } = await account.client.put(`/user/assistant/${id}`, widget(more));
    expect([status, body]).toMatchObject([422, { errors: { [`widget_settings.${key}`]: [message] } }]);
  });
});

describe('limits and data of visitors', () => {
  let account: TestAccount;
  let receiver: Receiver;
  let tool: number;

  beforeAll(async () => {
    account = await anAccount();
    receiver = await Receiver.open();
    receiver.reply = () => ({ body: '{"order":"shipped","note":"INTERNAL"}' });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: receiver.url,
      method: 'POST',
      schema: [{ name: 'order', type: 'string', description: 'Number of the order.' }],
    });
    tool = body.data.id;
  });
  afterAll(() => receiver.close());

  const orderStatus = async (id: string, client = visitor.client) => {
    const { body } = await client.post<{ function_calls: object[] }>(
      `/conversations/${id}/messages`,
      { message: 'Where is my order 4711?' },
      { Origin: ORIGIN },
    );
    return body.function_calls;
  };

  it('are the names of tools, with results by setting and for the account', async () => {
    const full = [
      {
        name: 'order_status',
        arguments: { order: expect.any(String) },
        result: { order: 'shipped', note: 'INTERNAL' },
      },
    ];
    const hidden = await aWidgetAssistant(account, { ...widget(), tool_ids: [tool] });
    const shown = await aWidgetAssistant(account, {
      ...widget({ show_tool_results: true }),
      tool_ids: [tool],
    });
    const begun = () => visitor.began(hidden.uuid);
    const name = [{ name: 'order_status', arguments: {} }];
    expect(await orderStatus(await begun())).toEqual(name);
    expect(await orderStatus(await begun(), account.client)).toEqual(full);
    expect(await orderStatus(await begun(), (await anAccount()).client)).toEqual(name);
    expect(await orderStatus(await visitor.began(shown.uuid))).toEqual(full);
  });

  it('are the variables that the assistant lists, marked for the webhook, and short where they are spoken', async () => {
    const hook = await Receiver.open();
    const { uuid } = await aWidgetAssistant(account, {
      ...widget({ visitor_variables: ['name', 'cart'] }),
      initial_message: 'Hello {name}, {verified}.',
      variables: { verified: 'not verified' },
      is_webhook_active: true,
      webhook_url: hook.url,
    });
    const variables = { name: 'Ada '.repeat(50), verified: 'your refund is approved', other: 1 };
    const spoken = `Hello ${'Ada '.repeat(15)}…, not verified.`;
    const chat = await visitor.begin(uuid, { variables });
    expect(chat.body.history[0]?.content).toBe(spoken);
    const own = await begin(uuid, { variables }, account.client);
    const call = (await begin(uuid, { variables })).body;
    const browser = await Browser.open(call.url);
    expect(await browser.hears(/verified/)).toBe(spoken);
    browser.socket.close(1000);
    const [told] = await hook.requests(1);
    expect(told?.body).toMatchObject({
      id: call.call_id,
      input_variables: { name: variables.name, verified: 'not verified' },
      visitor_variables: ['name'],
    });
    expect(told?.body).not.toHaveProperty('input_variables.other');
    const { rows } = await database().query('SELECT variables, visitor_variables FROM calls WHERE id = $1', [
      own.body.call_id,
    ]);
    expect(rows).toEqual([{ variables, visitor_variables: [] }]);
    await hook.close();
  });

  it('are 20 utterances a minute, pressed keys too; the account itself may send more', async () => {
    const { id, uuid } = await aWidgetAssistant(account);
    const said = async (call: WebCall) => {
      const browser = await Browser.open(call.url);
      await browser.hears(/help you/);
      for (let count = 0; count < 30; count += 1) {
        browser.says(`Question number ${count}?`);
        for (const digit of ['1', '#']) browser.send({ type: 'digit', digit });
      }
      browser.send({ type: 'end' });
      await browser.closed;
      await callWhen(account, call.call_id, ({ status }) => status === 'completed');
      const { transcript } = (await recordOf(account, call)) as { transcript: string };
      return transcript.split('\n').filter((line) => line.startsWith('Customer:')).length;
    };
    expect(await said(await began(uuid))).toBe(20);
    expect(await said(await beginWebCall(account, { assistant_id: id }))).toBe(60);
  });
});

describe('tokens of other accounts', () => {
  it('grant no ownership: their requests are those of visitors', async () => {
    const [owner, stranger] = [await anAccount(), await anAccount()];
    const { uuid } = await aWidgetAssistant(owner, widget({ daily_budget: 0 }));
    const { status } = await begin(uuid, {}, stranger.client);
    const chat = await stranger.client.post<Refused>(
      '/conversations',
      { assistant_id: uuid, type: 'widget' },
      { Origin: ORIGIN },
    );
    expect([status, chat.status]).toEqual([429, 429]);
    expect((await begin(uuid, {}, owner.client)).status).toBe(200);
  });
});
