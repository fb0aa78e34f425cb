import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, turnsWhen } from '../factories/call.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { beginWebCall, Browser } from '../factories/web-call.js';
import { database, everyRow } from '../support/database.js';
import { EventStreamClient } from '../support/event-stream.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const PRESSES_KEYS = '+15005550026';
const DICTATES_CARD = '+15005550042';

/** Groups of four digits with the check digit of a card number that no other test says. */
function aCardNumber(): string[] {
  const digits = `4${String(randomInt(1e13)).padStart(14, '7')}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`.match(/\d{4}/g) ?? [];
}

/** Two neighbouring groups, in every form in which they may be stored. */
const formsOf = (groups: readonly string[]): string[] =>
  groups.slice(1).flatMap((group, index) => ['', ' ', '-'].map((sign) => `${groups[index]}${sign}${group}`));

describe('a call of an assistant with redaction', () => {
  let account: TestAccount;
  let tools: Receiver;
  let webhooks: Receiver;
  let toolId: number;

  beforeAll(async () => {
    [account, tools, webhooks] = await Promise.all([anAccount(), Receiver.open(), Receiver.open()]);
    tools.reply = ({ text }) => ({ body: JSON.stringify({ found: true, request: text }) });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'look_up_card',
      description: 'Looks up a card.',
      endpoint: tools.url,
      method: 'POST',
      schema: [{ name: 'said', type: 'string', description: 'The words of the customer.' }],
    });
    toolId = body.data.id;
  });

  afterAll(() => Promise.all([tools.close(), webhooks.close()]));

  const assistantWith = (redaction: string) =>
    anAssistant(account, {
      redaction,
      tool_ids: [toolId],
      is_webhook_active: true,
      webhook_url: webhooks.url,
      post_call_schema: [{ name: 'summary', type: 'string', description: 'What was said' }],
    });

  /** All that the service shows, sends and keeps of a call. */
  async function tracesOf(callId: number, live: EventStreamClient): Promise<Record<string, string>> {
    await callWhen(account, callId, ({ webhook_response }) => webhook_response['status_code'] === 200);
    const { client } = account;
    const [call, turns, calls] = await Promise.all([
      client.get(`/user/calls/${callId}`),
      client.get(`/user/calls/${callId}/turns`),
      client.get('/user/calls?per_page=100'),
    ]);
    const events = await live.when((all) => all.some(({ data, event }) => isEndOf(callId, data, event)));
    live.close();
    const sent = webhooks.received.map(({ text }) => text).join('\n');
    const shown = { call: call.text, turns: turns.text, calls: calls.text, events: JSON.stringify(events) };
    return { ...shown, webhooks: sent, database: await everyRow() };
  }
  const isEndOf = (callId: number, data: Record<string, unknown>, event: string): boolean =>
    event === 'ended' && data['call_id'] === callId;

  /** Says the sentences one after the other. */
  async function talk(assistantId: number, sentences: readonly string[]): Promise<Record<string, string>> {
    const live = await EventStreamClient.open(account.token, '/user/calls/events');
    const call = await beginWebCall(account, { assistant_id: assistantId });
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    for (const sentence of sentences) {
      const heard = browser.spoken.length;
      browser.says(sentence);
      await browser.frame(() => browser.spoken.length > heard);
      await turnsWhen(account, call.call_id, (turns) => turns.at(-1)?.role === 'assistant');
    }
    browser.says('Thank you, goodbye.');
    await browser.frame(({ type }) => type === 'end');
    browser.socket.close(1000);
    return tracesOf(call.call_id, live);
  }

  const placesWith = (traces: Record<string, string>, texts: readonly string[]): string[] =>
    Object.keys(traces).filter((place) => texts.some((text) => traces[place]?.includes(text)));

  it('keeps a card number out of answers, events, webhooks and every column, and sends it to the tool', async () => {
    const card = aCardNumber();
    const said = `Can you look up my card? It is ${card.join(' ')}.`;
    const traces = await talk(await assistantWith('store'), [said, 'I paid 249 dollars on order 48213.']);
    expect(placesWith(traces, formsOf(card))).toEqual([]);
    expect(traces['call']).toContain('It is [card number].');
    expect(placesWith(traces, ['order 48213'])).toEqual(Object.keys(traces));
    expect(tools.received.map(({ body }) => body['said'])).toContainEqual(
      expect.stringContaining(card.join(' ')),
    );
  });

  it('keeps the parts of a number in several turns out, also of the events before the last part', async () => {
    const card = aCardNumber();
    const traces = await talk(await assistantWith('store'), [
      `My card number is ${card.slice(0, 2).join(' ')}`,
      `and then ${card.slice(2).join(' ')}`,
    ]);
    expect(placesWith(traces, formsOf(card))).toEqual([]);
    expect(traces['call']).toMatch(/My card number is \[card number\].*and then \[card number\]/s);
  });

  it('keeps a number from the model', async () => {
    const card = aCardNumber();
    const before = tools.received.length;
    const said = `Can you look up my card? It is ${card.join(' ')}.`;
    const traces = await talk(await assistantWith('model'), [said]);
    expect(placesWith(traces, formsOf(card))).toEqual([]);
    // The sandbox's model repeats what it has read to the tool.
    const read = tools.received.slice(before).map(({ body }) => String(body['said']));
    expect(read).toEqual([expect.stringContaining('It is [card number].')]);
  });

  it('changes nothing without the setting', async () => {
    const card = aCardNumber();
    const traces = await talk(await assistantWith('off'), [
      `Can you look up my card? It is ${card.join(' ')}.`,
    ]);
    expect(placesWith(traces, formsOf(card))).toEqual(Object.keys(traces));
  });

  it('hides a number of the country of its telephone numbers in a question that no document answers, too', async () => {
    const base = await aKnowledgeBase(account, { Hours: 'The shop opens at nine.' });
    const call = await beginWebCall(account, {
      assistant_id: await anAssistant(account, { redaction: 'store', knowledgebase_id: base }),
    });
    // Calls of web pages have no numbers; one over the telephone asks nothing that a test can choose.
    await database().query(`UPDATE calls SET client_phone_number = '+493012345678' WHERE id = $1`, [
      call.call_id,
    ]);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    browser.says('Which elephants does 030 1234567 recommend?');
    const path = `/user/knowledgebases/${base}/unanswered`;
    const listed = await until(async () => {
      const { body } = await account.client.get<{ data: { question: string }[] }>(path);
      return body.data.length > 0 ? body.data : null;
    });
    expect(listed).toMatchObject([{ question: 'Which elephants does [phone number] recommend?' }]);
    browser.socket.close();
    await browser.closed;
  });

  it.each([
    ['keys', PRESSES_KEYS, '[keys]', ['keys pressed']],
    ['a number in two parts', DICTATES_CARD, '[card number]', ['4539 1488', '0343 6467']],
  ])('over the telephone hides %s', async (_, phoneNumber, mark, digits) => {
    const live = await EventStreamClient.open(account.token, '/user/calls/events');
    const call = await aCall(account, await assistantWith('store'), { phoneNumber });
    const { database: rows, webhooks: sent = '', ...shown } = await tracesOf(call, live);
    expect(shown['call']).toContain(mark);
    expect(placesWith({ ...shown, sent }, digits)).toEqual([]);
    // Calls of other accounts may have pressed keys.
    if (mark !== '[keys]') expect(placesWith({ database: rows ?? '' }, digits)).toEqual([]);
  });
});

describe('the setting redaction', () => {
  it('is off by default, is shown, and cannot hide numbers from a model that hears them', async () => {
    const account = await anAccount();
    const id = await anAssistant(account);
    const show = async () =>
      (await account.client.get<{ data: { id: number; redaction: string }[] }>('/user/assistants/get')).body
        .data;
    expect(await show()).toMatchObject([{ id, redaction: 'off' }]);
    const multimodal = { engine_type: 'multimodal', llm_model: 'gpt-realtime-2.1' };
    const refused = await account.client.put<{ errors: Record<string, string[]> }>(`/user/assistant/${id}`, {
      ...multimodal,
      redaction: 'model',
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { redaction: [expect.stringContaining('hears the customer. Use store.')] } },
    });
    const taken = await account.client.put(`/user/assistant/${id}`, { ...multimodal, redaction: 'store' });
    expect(taken.status).toBe(200);
    expect(await show()).toMatchObject([{ redaction: 'store', mode: 'multimodal' }]);
    const wrong = await account.client.put(`/user/assistant/${id}`, { redaction: 'all' });
    expect(wrong.status).toBe(422);
  });
});
