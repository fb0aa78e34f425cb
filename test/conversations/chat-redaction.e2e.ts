import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { everyRow } from '../support/database.js';
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
});
