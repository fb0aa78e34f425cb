import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aWidgetAssistant, ORIGIN, Visitor, type Begun, type Refused } from '../factories/conversation.js';
import { Client } from '../support/client.js';

const PRICE = 0.01;
const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';
const refusal = (message: string) => ({ status: false, message, error: message });

/** Servers with an API key, which send no `Origin`. */
describe('text conversations of servers', () => {
  let account: TestAccount;
  let other: TestAccount;
  let assistant: { id: number; uuid: string };

  beforeAll(async () => {
    [account, other] = await Promise.all([anAccount(), anAccount()]);
    assistant = await aWidgetAssistant(account, {
      widget_settings: {},
      variables: { shop: 'Wheels', note: 'internal' },
    });
  });

  const begin = <T = Begun>(fields: object, client: Client = account.client, headers = {}) =>
    client.post<T>('/conversations', { assistant_id: assistant.uuid, ...fields }, headers);
  const balance = async (): Promise<number> =>
    (await account.client.get<{ total_balance: number }>('/user/me')).body.total_balance;

  it('begin without a type, an origin and an open widget, and are paid', async () => {
    const before = await balance();
    const begun = await begin({});
    expect([begun.status, begun.body]).toEqual([
      200,
      { status: true, conversation_id: expect.any(String), history: expect.any(Array) },
    ]);
    const id = begun.body.conversation_id;
    const said = await account.client.post(`/conversations/${id}/messages`, { message: 'Hello' });
    expect(said.status).toBe(200);
    expect(before - (await balance())).toBeCloseTo(PRICE, 6);
    const rows = await account.client.get<{ data: { id: string }[] }>('/user/conversations?type=widget');
    expect(rows.body.data.map((row) => row.id)).toContain(id);
    for (const type of ['widget', 'api', '', null]) expect((await begin({ type })).status).toBe(200);
    expect((await begin({ type: 'whatsapp' })).status).toBe(422);
    // From a page that is not allowed, too: the key is the permission.
    expect((await begin({}, account.client, { Origin: 'https://evil.example' })).status).toBe(200);
  });

  it('accept the id of the assistant for its uuid, with a token only', async () => {
    for (const assistant_id of [assistant.id, String(assistant.id), assistant.uuid.toUpperCase()]) {
      for (const type of ['test', 'widget', 'api']) {
        const { status, body } = await begin({ assistant_id, type });
        expect([assistant_id, type, status, body.status]).toEqual([assistant_id, type, 200, true]);
      }
    }
    for (const [client, assistant_id] of [
      [other.client, assistant.id],
      [other.client, 2_147_483_000],
      [other.client, MISSING],
      [new Visitor().client, assistant.id],
    ] as const) {
      const { status, body } = await begin<Refused>({ assistant_id }, client, { Origin: ORIGIN });
      expect([status, body]).toEqual([404, refusal('Assistant not found')]);
    }
    for (const assistant_id of ['Ada', '5.5', -1, 0, [], true]) {
      const { status, body } = await begin<Refused>({ assistant_id });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['assistant_id']]);
    }
  });

  it('treats a token of another account as none', async () => {
    const open = await aWidgetAssistant(account);
    const fields = { assistant_id: open.uuid };
    const refused = await begin<Refused>(fields, other.client);
    expect([refused.status, refused.body]).toEqual([403, refusal('This origin is not allowed.')]);
    expect((await begin(fields, other.client, { Origin: ORIGIN })).status).toBe(200);
    for (const type of ['test', 'api']) {
      expect((await begin({ ...fields, type }, other.client, { Origin: ORIGIN })).status).toBe(404);
      expect((await begin({ ...fields, type }, new Client(null), { Origin: ORIGIN })).status).toBe(401);
    }
    const { body } = await begin({ type: 'api' });
    const path = `/conversations/${body.conversation_id}/messages`;
    for (const client of [other.client, new Client(null)]) {
      expect((await client.post(path, { message: 'Hello' })).status).toBe(403);
    }
  });

  it('responds with 400 when the balance is too low', async () => {
    const poor = await anAccount({ balance: 1.5 * PRICE });
    const { uuid } = await aWidgetAssistant(poor, { widget_settings: {} });
    const { body } = await poor.client.post<Begun>('/conversations', { assistant_id: uuid });
    const path = `/conversations/${body.conversation_id}/messages`;
    expect((await poor.client.post(path, { message: 'Hello' })).status).toBe(200);
    for (const answer of [
      await poor.client.post(path, { message: 'And now?' }),
      await poor.client.post('/conversations', { assistant_id: uuid }),
      await poor.client.post('/conversations', { assistant_id: uuid, type: 'api' }),
    ]) {
      const text = 'Insufficient balance. Please top up your account.';
      expect([answer.status, answer.body]).toEqual([400, refusal(text)]);
    }
  });

  it('shows the variables, to visitors those that they may set', async () => {
    const variables = { customer_name: 'Ada', note: 'changed' };
    const open = await aWidgetAssistant(account, {
      variables: { shop: 'Wheels' },
      widget_settings: {
        enabled: true,
        allowed_origins: [ORIGIN],
        visitor_variables: ['customer_name', 'missing'],
      },
    });
    const { body } = await begin({ assistant_id: open.uuid, variables });
    const path = `/conversations/${body.conversation_id}`;
    const own = await account.client.get<Record<string, unknown>>(path);
    expect(own.body).toEqual({
      status: true,
      history: expect.any(Array),
      variables: { shop: 'Wheels', ...variables },
    });
    for (const visitor of [new Client(null), other.client]) {
      const shown = await visitor.get<Record<string, unknown>>(path, { Origin: ORIGIN });
      expect(shown.body['variables']).toEqual({ customer_name: 'Ada' });
    }
  });
});
