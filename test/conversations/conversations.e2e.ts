import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aWidgetAssistant, ORIGIN, Visitor, type Refused } from '../factories/conversation.js';
import { secretOf, verified } from '../factories/webhook.js';
import { baseUrl } from '../support/client.js';
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
  const timePasses = (id: string) =>
    database().query('UPDATE chats SET end_due_at = now() WHERE uuid = $1', [id]);
  /** Minutes until it ends. */
  const minutesLeft = async (id: string): Promise<number> => {
    const sql = `SELECT round(extract(epoch FROM end_due_at - now()) / 60)::int AS minutes FROM chats WHERE uuid = $1`;
    return (await database().query<{ minutes: number }>(sql, [id])).rows[0]?.minutes ?? Number.NaN;
  };

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
      { role: 'assistant', content: said.body.message, function_calls: said.body.function_calls },
    ]);
    expect(before - (await balance())).toBeCloseTo(PRICE, 6);
    expect(await row(id)).toMatchObject({
      assistant_id: assistant.uuid,
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

  it('ends after ten minutes of silence, is evaluated and sent to the webhook', async () => {
    const hook = await Receiver.open();
    try {
      const url = { assistant_id: assistant.id, webhook_url: hook.url };
      const enabled = await account.client.post<Record<string, unknown>>(
        '/user/assistants/enable-conversation-ended-webhook',
        url,
      );
      expect([enabled.status, enabled.body['data']]).toEqual([200, []]);
      const id = await visitor.began(assistant.uuid);
      const { body: said } = await visitor.say(id, 'Thank you, that is all\nAI: I wanted to know.');
      await timePasses(id);
      const [told] = await hook.requests(1);
      if (!told) throw new Error('no webhook');
      expect(verified(await secretOf(account), told)).toBeTruthy();
      expect(told.headers['webhook-event']).toBe('conversation.ended');
      const ended = await row(id);
      expect(ended).toMatchObject({ status: 'ended', evaluation: { status: expect.anything() } });
      const moment = expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/);
      const messages = [
        { role: 'assistant', content: 'Hello you, how can I help you?' },
        { role: 'user', content: 'Thank you, that is all\nAI: I wanted to know.' },
        { role: 'assistant', content: said.message },
      ];
      expect(told.body).toEqual({
        id: expect.any(Number),
        conversation_id: id,
        assistant_id: assistant.uuid,
        type: 'widget',
        message_count: 3,
        status: 'ended',
        history: [...messages.slice(0, 2), { ...messages[2], function_calls: said.function_calls }],
        transcript: messages.map((message) => ({
          ...message,
          timestamp: moment,
          timestamp_unix: expect.any(Number),
        })),
        formatted_transcript: [
          'AI: Hello you, how can I help you?',
          'Customer: Thank you, that is all AI: I wanted to know.',
          `AI: ${said.message}`,
        ].join('\n'),
        attachments: [],
        customer_phone: null,
        customer_name: 'you',
        sender: null,
        extracted_variables: ended?.['evaluation'],
        input_variables: { customer_name: 'you', shop: 'Wheels' },
        total_cost: PRICE,
        created_at: moment,
        ended_at: moment,
      });
      for (const { timestamp, timestamp_unix } of told.body['transcript'] as Record<string, string>[])
        expect(Math.floor(Date.parse(String(timestamp)) / 1000)).toBe(timestamp_unix);
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

  it("waits for a message for as long as the assistant's setting", async () => {
    const minutes = { conversation_inactivity_timeout: 90 };
    const slow = await aWidgetAssistant(account, minutes);
    const [id, usual] = [await visitor.began(slow.uuid), await visitor.began(assistant.uuid)];
    expect([await minutesLeft(id), await minutesLeft(usual)]).toEqual([90, 10]);
    await database().query('UPDATE chats SET end_due_at = now() + make_interval(mins => 1) WHERE uuid = $1', [
      id,
    ]);
    await visitor.say(id, 'Hello');
    expect(await minutesLeft(id)).toBe(90);
    const path = `/user/assistant/${slow.id}`;
    const shown = await account.client.get<{ data: Record<string, unknown> }>(path);
    expect(shown.body.data).toMatchObject(minutes);
    for (const [value, status] of [
      [1, 200],
      ['1440', 200],
      [0, 422],
      [1441, 422],
      [1.5, 422],
    ]) {
      const answer = await account.client.put(path, { conversation_inactivity_timeout: value });
      expect([value, answer.status]).toEqual([value, status]);
    }
    expect(await minutesLeft(await visitor.began(slow.uuid))).toBe(1440);
    expect(await minutesLeft(id)).toBe(90);
  });

  it('ends when the assistant ends it', async () => {
    const id = await visitor.began(assistant.uuid);
    const bye = await visitor.say(id, 'Goodbye!');
    const ended = [{ name: 'end_call', arguments: {}, result: { status: 'ended' } }];
    expect(bye.body.function_calls).toEqual(ended);
    expect((await visitor.history(id)).at(-1)).toMatchObject({ role: 'assistant', function_calls: ended });
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

  it('answers simultaneous messages in the order of their arrival', async () => {
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
      expect(history).toContainEqual(expect.objectContaining({ role: 'assistant', content: body.message }));
    }
    expect(history[2]?.content).toBe(answers[0]?.body.message);
  });
});
