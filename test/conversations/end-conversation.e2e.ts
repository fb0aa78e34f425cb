import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { aWidgetAssistant, Visitor } from '../factories/conversation.js';
import type { Client } from '../support/client.js';
import { Receiver } from '../support/receiver.js';

const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';
const NOT_FOUND = [404, { message: 'Conversation not found' }];
const OVER = [409, { message: 'The conversation has ended.' }];

describe('the end of a text conversation that its user requests', () => {
  const visitor = new Visitor();
  let account: TestAccount;
  let hook: Receiver;
  let assistant: { id: number; uuid: string };

  beforeAll(async () => {
    [account, hook] = await Promise.all([anAccount(), Receiver.open()]);
    assistant = await aWidgetAssistant(account, { post_call_evaluation: false });
    const url = { assistant_id: assistant.id, webhook_url: hook.url };
    await account.client.post('/user/assistants/enable-conversation-ended-webhook', url);
  });

  afterAll(() => hook.close());

  const end = async (id: string, client: Client = account.client): Promise<[number, unknown]> => {
    const { status, body } = await client.post(`/user/conversations/${id}/end`);
    return [status, body];
  };
  const statusOf = async (id: string): Promise<string> => {
    const path = `/user/conversations/${id}`;
    return (await account.client.get<{ data: { status: string } }>(path)).body.data.status;
  };

  it('is sent to the webhook once, also for repeated requests, and later messages are refused', async () => {
    const id = await visitor.began(assistant.uuid);
    expect((await visitor.say(id, 'Hello')).status).toBe(200);
    const answers = await Promise.all([end(id), end(id)]);
    expect(answers.sort()).toEqual([[200, { message: 'Conversation ended successfully' }], OVER]);
    expect(await statusOf(id)).toBe('ended');
    expect((await visitor.say(id, 'Are you there?')).status).toBe(409);
    await hook.requests(1);
    expect(await end(id)).toEqual(OVER);
    expect(hook.received.map(({ body }) => body['conversation_id'])).toEqual([id]);
  });

  it('is refused while a message waits for its answer', async () => {
    const shop = await Receiver.open();
    let answer = (): void => undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    shop.reply = () => ({ body: '{"order":"shipped"}', after });
    const { body } = await account.client.post<{ data: { id: number } }>('/user/tools', {
      name: 'order_status',
      description: 'Where an order is',
      endpoint: shop.url,
      method: 'GET',
      schema: [{ name: 'order', type: 'string', description: 'The order number' }],
    });
    const busy = await aWidgetAssistant(account, { tool_ids: [body.data.id] });
    const id = await visitor.began(busy.uuid);
    const said = visitor.say(id, 'Where is my order 4711?');
    await shop.requests(1);
    expect(await end(id)).toEqual([409, { message: 'A message waits for its answer. Try again.' }]);
    answer();
    expect((await said).status).toBe(200);
    expect((await end(id))[0]).toBe(200);
    await shop.close();
  });

  it('needs a token of the account with the scope messages', async () => {
    const [other, read, messages] = await Promise.all([
      anAccount(),
      anApiKey(account, { scopes: ['read'] }),
      anApiKey(account, { scopes: ['messages'] }),
    ]);
    const id = await visitor.began(assistant.uuid);
    for (const unknown of [MISSING, 'abc']) expect(await end(unknown)).toEqual(NOT_FOUND);
    expect(await end(id, other.client)).toEqual(NOT_FOUND);
    expect((await end(id, account.client.withToken(read.token)))[0]).toBe(403);
    expect(await statusOf(id)).toBe('active');
    expect((await end(id, account.client.withToken(messages.token)))[0]).toBe(200);
  });
});
