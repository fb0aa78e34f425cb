import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aWidgetAssistant, Visitor, type Begun, type Said } from '../factories/conversation.js';
import { Client, type Answer } from '../support/client.js';

const PRICE = 0.01;
const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';

describe('a conversation with its AI switched off', () => {
  let account: TestAccount;
  let other: TestAccount;
  let assistant: { id: number; uuid: string };

  beforeAll(async () => {
    [account, other] = await Promise.all([anAccount(), anAccount()]);
    assistant = await aWidgetAssistant(account);
  });

  let sequence = 0;
  const aCustomer = (): string => `customer ${++sequence}`;
  const ask = (fields: object, client = account.client) =>
    client.post<{ conversation_id: string; reply: string | null; ai_disabled: boolean }>(
      '/user/ai/generate-reply',
      { assistant_id: assistant.uuid, message: 'Hello', ...fields },
    );
  const setAi = (id: string, what: 'enable-ai' | 'disable-ai', client = account.client) =>
    client.post<{ status: boolean; ai_enabled?: boolean }>(`/automate/conversations/${id}/${what}`);
  const balance = async (): Promise<number> =>
    (await account.client.get<{ total_balance: number }>('/user/me')).body.total_balance;
  const rolesIn = async (id: string): Promise<string[]> =>
    (await account.client.get<Begun>(`/conversations/${id}`)).body.history.map(({ role }) => role);
  const off = async (): Promise<{ customer_identifier: string; id: string }> => {
    const customer_identifier = aCustomer();
    const id = (await ask({ customer_identifier })).body.conversation_id;
    const { status, body } = await setAi(id, 'disable-ai');
    expect([status, body]).toEqual([200, { status: true, ai_enabled: false }]);
    return { customer_identifier, id };
  };
  const row = async (id: string) =>
    (await account.client.get<{ data: Record<string, unknown>[] }>('/user/conversations')).body.data.find(
      (one) => one['id'] === id,
    );

  it('stores messages and sends no request to a model, without a price', async () => {
    const { customer_identifier, id } = await off();
    const before = await balance();
    const { status, body } = await ask({ customer_identifier, message: 'Where is my order 4711?' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        conversation_id: id,
        customer_identifier,
        reply: null,
        function_calls: [],
        ai_disabled: true,
      },
    ]);
    const said = await account.client.post<Said>(`/conversations/${id}/messages`, {
      message: 'Where is my order 4711?',
    });
    expect([said.status, said.body]).toEqual([200, { status: true, message: '', function_calls: [] }]);
    expect(await balance()).toBe(before);
    expect(await rolesIn(id)).toEqual(['user', 'assistant', 'user', 'user']);
    expect(await row(id)).toMatchObject({ ai_enabled: false, message_count: 4, total_cost: PRICE });
    const on = await setAi(id, 'enable-ai');
    expect([on.status, on.body]).toEqual([200, { status: true, ai_enabled: true }]);
    const answered = await ask({ customer_identifier });
    expect([answered.body.reply, answered.body.ai_disabled]).toEqual([expect.any(String), false]);
    expect(await row(id)).toMatchObject({ ai_enabled: true, message_count: 6, total_cost: 2 * PRICE });
  });

  it('stores messages also without a balance', async () => {
    const poor = await anAccount({ balance: PRICE });
    const { uuid } = await aWidgetAssistant(poor);
    const fields = { assistant_id: uuid, customer_identifier: aCustomer() };
    const id = (await ask(fields, poor.client)).body.conversation_id;
    expect((await setAi(id, 'disable-ai', poor.client)).status).toBe(200);
    expect((await ask(fields, poor.client)).status).toBe(200);
    expect((await setAi(id, 'enable-ai', poor.client)).status).toBe(200);
    expect((await ask(fields, poor.client)).status).toBe(402);
  });

  it('is switched by the owner of the conversation only, twice like once', async () => {
    const { id } = await off();
    const again = await setAi(id, 'disable-ai');
    expect([again.status, again.body.ai_enabled]).toEqual([200, false]);
    const answers: Answer<object>[] = [];
    for (const [to, client] of [
      [id, other.client],
      [MISSING, account.client],
      ['abc', account.client],
      ['1', account.client],
    ] as const) {
      for (const what of ['enable-ai', 'disable-ai'] as const) answers.push(await setAi(to, what, client));
    }
    const message = 'Conversation not found';
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([404, { message, status: false, error: message }]);
    }
    expect((await setAi(id, 'enable-ai', new Client(null))).status).toBe(401);
    expect(await row(id)).toMatchObject({ ai_enabled: false });
  });

  it('is switched off for visitors too', async () => {
    const open = await aWidgetAssistant(account);
    const visitor = new Visitor();
    const id = await visitor.began(open.uuid);
    await setAi(id, 'disable-ai');
    const { status, body } = await visitor.say(id, 'Is anybody there?');
    expect([status, body.message]).toEqual([200, '']);
    expect(await visitor.history(id)).toHaveLength(2);
  });
});
