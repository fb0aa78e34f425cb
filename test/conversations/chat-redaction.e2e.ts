import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { database, everyRow } from '../support/database.js';
import { Receiver } from '../support/receiver.js';

/** Of a card that no other test names. */
const CARD = '4539 5787 6362 1486';
const FORMS = [CARD, CARD.replaceAll(' ', ''), '4539 5787', '6362 1486'];

describe('a text conversation with redaction', () => {
  let account: TestAccount;
  let receiver: Receiver;
  let toolId: number;

  beforeAll(async () => {
    account = await anAccount();
    receiver = await Receiver.open();
    receiver.reply = ({ text }) => ({ body: JSON.stringify({ found: true, request: text }) });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'look_up_card',
      description: 'Looks up a card.',
      endpoint: receiver.url,
      method: 'POST',
      schema: [{ name: 'said', type: 'string', description: 'The words of the customer.' }],
    });
    toolId = body.data.id;
  });

  afterAll(() => receiver.close());

  async function write(redaction: string, headers = {}) {
    const assistant_id = await anAssistant(account, {
      redaction,
      tool_ids: [toolId],
      knowledgebase_id: await aKnowledgeBase(account, { Hours: 'The shop opens at nine.' }),
      conversation_ended_webhook_url: receiver.url,
    });
    const sent = receiver.received.length;
    const message = `Can you look up my card ${CARD}?`;
    const customer_identifier = randomUUID();
    const reply = await account.client.post<{ conversation_id: string }>(
      '/user/ai/generate-reply',
      { assistant_id, customer_identifier, message },
      headers,
    );
    expect(reply.status).toBe(200);
    const question = await account.client.post('/user/ai/generate-reply', {
      assistant_id,
      customer_identifier,
      message: `Which elephants does ${CARD} recommend?`,
    });
    expect(question.status).toBe(200);
    const shown = await account.client.get(`/conversations/${reply.body.conversation_id}`);
    const requests = receiver.received.slice(sent).map(({ body }) => String(body['said']));
    return { shown: shown.text, requests };
  }

  it.each(['store', 'model'])('keeps numbers out of messages, tools and questions: %s', async (redaction) => {
    const { shown, requests } = await write(redaction, { 'Idempotency-Key': randomUUID() });
    expect(shown).toContain('Can you look up my card [card number]?');
    const stored = await everyRow();
    expect(FORMS.filter((form) => shown.includes(form) || stored.includes(form))).toEqual([]);
    const said = redaction === 'store' ? CARD : '[card number]';
    expect(requests[0]).toContain(said);
  });

  async function begin(question: string) {
    const fields = { redaction: 'store', initial_message: question, tool_ids: [toolId] };
    const assistant_id = await anAssistant(account, fields);
    const { body } = await account.client.post<{ conversation_id: string }>('/conversations', {
      assistant_id,
      type: 'api',
    });
    const path = `/conversations/${body.conversation_id}`;
    return {
      say: (message: string, headers = {}) => account.client.post(`${path}/messages`, { message }, headers),
      said: async (): Promise<string[]> => {
        const shown = await account.client.get<{ history: { role: string; content: string }[] }>(path);
        return shown.body.history.filter(({ role }) => role === 'user').map(({ content }) => content);
      },
    };
  }

  it('reads the question with the answer, also where a request is repeated', async () => {
    const { say, said } = await begin('What is your account number?');
    const name = randomUUID();
    const key = { 'Idempotency-Key': name };
    const first = await say('55779911', key);
    // The response to the key is lost, its message is not.
    const { rowCount } = await database().query('DELETE FROM idempotency_keys WHERE key = $1', [name]);
    expect(rowCount).toBe(1);
    const again = await say('55779911', key);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(await said()).toEqual(['[iban]']);
  });

  it('takes the second part of a number for no repetition of the first', async () => {
    const { say, said } = await begin('What is your card number?');
    const parts = await Promise.all(['4539 5787', '6362 1486'].map((part) => say(part)));
    expect(parts.map(({ status }) => status)).toEqual([200, 200]);
    expect(await said()).toEqual(['[card number]', '[card number]']);
  });
});
