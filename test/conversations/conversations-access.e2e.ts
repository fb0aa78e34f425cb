import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import {
  aWidgetAssistant,
  ORIGIN,
  Visitor,
  type Begun,
  type Refused,
  type Said,
} from '../factories/conversation.js';
import { baseUrl } from '../support/client.js';
import { database } from '../support/database.js';

const PRICE = 0.01;
const MISSING = '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11';
const refusal = (message: string) => ({ status: false, message, error: message });

describe('who may write to an assistant', () => {
  let account: TestAccount;
  let assistant: { id: number; uuid: string };
  const visitor = new Visitor();

  beforeAll(async () => {
    account = await anAccount();
    assistant = await aWidgetAssistant(account);
  });

  const balance = async (owner: TestAccount): Promise<number> =>
    (await owner.client.get<{ total_balance: number }>('/user/me')).body.total_balance;

  it('is open to pages of allowed origins only', async () => {
    const closed = await aWidgetAssistant(account, {
      widget_settings: { enabled: false, allowed_origins: [ORIGIN] },
    });
    const stranger = new Visitor(undefined, { Origin: 'https://evil.example' });
    const nobody = new Visitor(undefined, {});
    for (const [from, uuid] of [
      [stranger, assistant.uuid],
      [nobody, assistant.uuid],
      [visitor, closed.uuid],
    ] as const) {
      const { status, body, headers } = await from.begin<Refused>(uuid);
      expect([status, body]).toEqual([403, refusal('This origin is not allowed.')]);
      if (from === stranger) expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    const begun = await visitor.begin(assistant.uuid);
    expect(begun.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(begun.headers.get('access-control-allow-credentials')).toBeNull();
    const id = begun.body.conversation_id;
    expect((await stranger.say(id, 'Hello')).status).toBe(403);
    expect(
      (await stranger.client.get(`/conversations/${id}`, { Origin: 'https://evil.example' })).status,
    ).toBe(403);
    const wrong = await visitor.say<Refused>(id, 'x'.repeat(2001));
    expect([wrong.status, wrong.body]).toEqual([
      422,
      {
        ...refusal('The given data was invalid.'),
        errors: { message: ['The message field must not be greater than 2000 characters.'] },
      },
    ]);
    expect(wrong.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const preflight = await fetch(`${baseUrl()}/api/conversations/${id}/messages`, {
      method: 'OPTIONS',
      headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Authorization, Content-Type, Idempotency-Key',
    ]);
  });

  it('reports what is missing and what is forbidden in one shape', async () => {
    const unknown = await visitor.begin<Refused>(MISSING);
    expect([unknown.status, unknown.body]).toEqual([404, refusal('Assistant not found')]);
    for (const id of [MISSING, 'abc', '1']) {
      const { status, body } = await visitor.say<Refused>(id, 'Hello');
      expect([status, body]).toEqual([404, refusal('Conversation not found')]);
    }
    const { status, body } = await visitor.client.send<Refused>('POST', '/conversations', '{', {
      Origin: ORIGIN,
    });
    expect([status, body]).toEqual([400, refusal('The request body is not valid JSON.')]);
    const inactive = await aWidgetAssistant(account);
    await account.client.put(`/user/assistant/${inactive.id}`, { status: 'inactive' });
    const answer = await visitor.begin<Refused>(inactive.uuid);
    expect([answer.status, answer.body]).toEqual([422, refusal('The assistant is not active.')]);
    await account.client.delete(`/user/assistant/${inactive.id}`);
    expect((await visitor.begin(inactive.uuid)).status).toBe(404);
  });

  it('runs tests with a token, free of charge', async () => {
    const poor = await anAccount({ balance: 0 });
    const { uuid } = await aWidgetAssistant(poor, { widget_settings: {} });
    const body = { assistant_id: uuid, type: 'test' };
    const unknown = await visitor.client.post<Refused>('/conversations', body);
    expect([unknown.status, unknown.body]).toEqual([401, refusal('Unauthenticated.')]);
    expect((await account.client.post('/conversations', body)).status).toBe(404);
    const begun = await poor.client.post<Begun>('/conversations', body);
    const said = await poor.client.post<Said>(`/conversations/${begun.body.conversation_id}/messages`, {
      message: 'Hello',
    });
    expect([said.status, said.body.status]).toEqual([200, true]);
    const { rows } = await database().query(
      'SELECT FROM ledger_entries WHERE account_id = $1 AND kind = $2',
      [poor.id, 'chat'],
    );
    expect(rows).toHaveLength(0);
  });

  it('refuses a message that the balance does not cover', async () => {
    const poor = await anAccount({ balance: 2.5 * PRICE });
    const { uuid } = await aWidgetAssistant(poor, {
      widget_settings: { enabled: true, allowed_origins: [ORIGIN], daily_budget: 1 },
    });
    const id = await visitor.began(uuid);
    const statuses = [];
    for (const message of ['Hello', 'What is your name?', 'And now?']) {
      statuses.push((await visitor.say(id, message)).status);
    }
    expect(statuses).toEqual([200, 200, 400]);
    const { body } = await visitor.say<Refused>(id, 'And now?');
    expect(body).toEqual(refusal('Insufficient balance. Please top up your account.'));
    expect((await visitor.begin<Refused>(uuid)).body).toEqual(body);
    expect(await balance(poor)).toBeCloseTo(0.5 * PRICE, 6);
    expect(await visitor.history(id)).toHaveLength(5);
  });
});
