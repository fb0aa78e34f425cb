import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aWidgetAssistant, ORIGIN, Visitor, type Begun, type Refused } from '../factories/conversation.js';
import { secretOf, verified } from '../factories/webhook.js';
import { baseUrl, Client } from '../support/client.js';
import { database } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const PRICE = 0.01;
const ORDER = 'Where is my order 4711?';
const refusal = (message: string) => ({ status: false, message, error: message });

describe('text conversations', () => {
  let account: TestAccount;
  let assistant: { id: number; uuid: string };
  let tools: Receiver;
  const visitor = new Visitor();

  beforeAll(async () => {
    account = await anAccount();
    tools = await Receiver.open();
    tools.reply = () => ({ body: '{"order":"shipped"}' });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Looks up where an order is.',
      endpoint: tools.url,
      method: 'POST',
      schema: [{ name: 'order', type: 'string', description: 'Number of the order.' }],
    });
    assistant = await aWidgetAssistant(account, {
      initial_message: 'Hello {customer_name}, how can I help you?',
      variables: { customer_name: 'you', shop: 'Wheels' },
      tool_ids: [body.data.id],
      widget_settings: {
        enabled: true,
        allowed_origins: [ORIGIN],
        visitor_variables: ['customer_name'],
        show_tool_results: true,
      },
    });
  });

  afterAll(() => tools.close());

  const balance = async (): Promise<number> =>
    (await account.client.get<{ total_balance: number }>('/user/me')).body.total_balance;
  const row = async (id: string) => {
    const { body } = await account.client.get<{ data: Record<string, unknown>[] }>(
      '/user/conversations?per_page=100',
    );
    return body.data.find((one) => one['id'] === id);
  };
  /** The time of silence passes. */
  const tenMinutesLater = (id: string) =>
    database().query('UPDATE chats SET end_due_at = now() WHERE uuid = $1', [id]);

  it('greets, answers, runs tools, and keeps and charges every message once', async () => {
    const before = await balance();
    const begun = await visitor.begin(assistant.uuid, { variables: { customer_name: 'Ada' } });
    const greeting = { role: 'assistant', content: 'Hello Ada, how can I help you?' };
    expect([begun.status, begun.body]).toEqual([
      200,
      { status: true, conversation_id: expect.any(String), history: [greeting] },
    ]);
    const id = begun.body.conversation_id;
    const said = await visitor.say(id, ORDER);
    expect(said.status).toBe(200);
    expect(said.body).toEqual({
      status: true,
      message: expect.stringContaining('shipped'),
      function_calls: [
        { name: 'order_status', arguments: { order: expect.any(String) }, result: { order: 'shipped' } },
      ],
    });
    expect(tools.received).toHaveLength(1);
    expect(await visitor.history(id)).toEqual([
      greeting,
      { role: 'user', content: ORDER },
      { role: 'assistant', content: said.body.message },
    ]);
    expect(before - (await balance())).toBeCloseTo(PRICE, 6);
    expect(await row(id)).toMatchObject({
      assistant_id: assistant.id,
      assistant_name: 'Front desk',
      type: 'widget',
      variables: { customer_name: 'Ada', shop: 'Wheels' },
      message_count: 3,
      total_cost: PRICE,
      ai_enabled: true,
      status: 'active',
      evaluation: null,
    });
  });

  it('ends after ten minutes of silence, is evaluated and told to the webhook', async () => {
    const hook = await Receiver.open();
    try {
      const url = { assistant_id: assistant.id, webhook_url: hook.url };
      const enabled = await account.client.post<Record<string, unknown>>(
        '/user/assistants/enable-conversation-ended-webhook',
        url,
      );
      expect([enabled.status, enabled.body['data']]).toEqual([200, []]);
      const id = await visitor.began(assistant.uuid);
      const { body: said } = await visitor.say(id, 'Thank you, that is all I wanted to know.');
      await tenMinutesLater(id);
      const [told] = await hook.requests(1);
      if (!told) throw new Error('no webhook');
      expect(verified(await secretOf(account), told)).toBeTruthy();
      expect(told.headers['webhook-event']).toBe('conversation.ended');
      const ended = await row(id);
      expect(ended).toMatchObject({ status: 'ended', evaluation: { status: expect.anything() } });
      expect(told.body).toEqual({
        id,
        assistant_id: assistant.id,
        type: 'widget',
        message_count: 3,
        history: [
          { role: 'assistant', content: 'Hello you, how can I help you?' },
          { role: 'user', content: 'Thank you, that is all I wanted to know.' },
          { role: 'assistant', content: said.message },
        ],
        extracted_variables: ended?.['evaluation'],
        input_variables: { customer_name: 'you', shop: 'Wheels' },
        total_cost: PRICE,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        ended_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
      });
      const late = await visitor.say<Refused>(id, 'One more thing.');
      expect([late.status, late.body]).toEqual([409, refusal('The conversation has ended.')]);
      expect(await visitor.history(id)).toHaveLength(3);
      const example = { assistant_id: assistant.id, channel: 'conversation' };
      const tested = await account.client.post<{ data: { event: string; test: boolean } }>(
        '/user/assistants/test-webhook',
        example,
      );
      expect(tested.body.data).toMatchObject({ event: 'conversation.ended', test: true });
      const [, test] = await hook.requests(2);
      expect(Object.keys(test?.body ?? {}).sort()).toEqual([...Object.keys(told.body), 'test'].sort());
      const log = await account.client.get<{ data: { test: boolean; call_id: number | null }[] }>(
        '/user/webhook-deliveries?channel=conversation',
      );
      expect(log.body.data).toMatchObject([{ test: true }, { test: false, call_id: null }]);

      const off = await account.client.post('/user/assistants/disable-conversation-ended-webhook', {
        assistant_id: assistant.id,
      });
      expect(off.status).toBe(200);
      const shown = await account.client.get<{ data: Record<string, unknown> }>(
        `/user/assistant/${assistant.id}`,
      );
      expect(shown.body.data['conversation_ended_webhook_url']).toBeNull();
    } finally {
      await hook.close();
    }
  });

  it('ends when the assistant ends it', async () => {
    const id = await visitor.began(assistant.uuid);
    const bye = await visitor.say(id, 'Goodbye!');
    expect(bye.body.function_calls).toEqual([
      { name: 'end_call', arguments: {}, result: { status: 'ended' } },
    ]);
    expect((await visitor.say(id, 'Hello?')).status).toBe(409);
    await until(async () => (await row(id))?.['evaluation'] !== null);
  });

  it('ends with the answer to its hundredth message', async () => {
    const id = await visitor.began(assistant.uuid);
    await database().query('UPDATE chats SET asked_seq = 99, answered_seq = 99 WHERE uuid = $1', [id]);
    expect((await visitor.say(id, 'Hello')).status).toBe(200);
    expect((await visitor.say(id, 'Hello again')).status).toBe(409);
    expect(await row(id)).toMatchObject({ status: 'ended' });
  });

  it('answers a message once, however often it is sent', async () => {
    const id = await visitor.began(assistant.uuid);
    const headers = { 'Idempotency-Key': randomUUID() };
    const [one, other] = await Promise.all([
      visitor.say(id, ORDER, headers),
      visitor.say(id, ORDER, headers),
    ]);
    const again = await visitor.say(id, ORDER, headers);
    expect([other.text, again.text]).toEqual([one.text, one.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const changed = await visitor.say<Refused>(id, 'Something else', headers);
    expect([changed.status, changed.body]).toEqual([
      422,
      refusal('This Idempotency-Key was used with another request.'),
    ]);
    // Without a key: both while the first is being answered.
    tools.reply = () => ({ body: '{"order":"lost"}', delayMs: 300 });
    const asked = tools.received.length;
    const twice = await Promise.all([visitor.say(id, 'And order 12?'), visitor.say(id, 'And order 12?')]);
    tools.reply = () => ({ body: '{"order":"shipped"}' });
    expect(twice[0].text).toBe(twice[1].text);
    expect(tools.received).toHaveLength(asked + 1);
    expect(await visitor.history(id)).toHaveLength(5);
    expect((await row(id))?.['total_cost']).toBe(2 * PRICE);

    // The client disconnects before its answer comes.
    const gone = new AbortController();
    tools.reply = () => {
      gone.abort();
      return { body: '{"order":"lost"}', delayMs: 100 };
    };
    const order = 'Where is order 77?';
    const lost = fetch(`${baseUrl()}/api/conversations/${id}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
      body: JSON.stringify({ message: order }),
      signal: gone.signal,
    });
    await expect(lost).rejects.toThrow('abort');
    await until(async () => (await visitor.history(id)).length === 7);
    expect((await visitor.say(id, order)).headers.get('idempotent-replayed')).toBe('true');
    expect(await visitor.history(id)).toHaveLength(7);
    tools.reply = () => ({ body: '{"order":"shipped"}' });

    const key = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [
      await visitor.begin(assistant.uuid, {}, key),
      await visitor.begin(assistant.uuid, {}, key),
    ];
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('answers messages that come together in the order in which they came', async () => {
    const id = await visitor.began(assistant.uuid);
    tools.reply = () => ({ body: '{"order":"shipped"}', delayMs: 200 });
    const first = visitor.say(id, ORDER);
    await until(async () => (await visitor.history(id)).length === 2);
    const others = ['Hello there', 'What is your name?'].map((message) => visitor.say(id, message));
    const answers = await Promise.all([first, ...others]);
    tools.reply = () => ({ body: '{"order":"shipped"}' });
    const history = await visitor.history(id);
    expect(history.map(({ role }) => role)).toEqual([
      'assistant',
      ...Array.from({ length: 3 }, () => ['user', 'assistant']).flat(),
    ]);
    for (const { body } of answers) {
      expect(history).toContainEqual({ role: 'assistant', content: body.message });
    }
    expect(history[2]?.content).toBe(answers[0]?.body.message);
  });

  it('lists them for their user only, filtered', async () => {
    const other = await anAccount();
    expect((await other.client.get<{ total: number }>('/user/conversations')).body.total).toBe(0);
    const test = { assistant_id: assistant.uuid, type: 'test' };
    const { body } = await account.client.post<Begun>('/conversations', test);
    const page = await account.client.get<{ data: { id: string; type: string }[]; total: number }>(
      `/user/conversations?type=test&assistant_id=${assistant.id}`,
    );
    expect(page.body.data).toMatchObject([{ id: body.conversation_id, type: 'test' }]);
    expect((await account.client.get('/user/conversations?type=x')).status).toBe(422);
    expect((await new Client(null).get('/user/conversations')).status).toBe(401);
  });
});
