import { describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { aWidgetAssistant, type Refused } from '../factories/conversation.js';
import { database } from '../support/database.js';

describe('test conversations', () => {
  it('have a number in 24 hours by plan; a repeated request does not count', async () => {
    const account = await anAccount();
    const { uuid } = await aWidgetAssistant(account);
    const test = (headers: Record<string, string> = {}) =>
      account.client.post<Refused>('/conversations', { assistant_id: uuid, type: 'test' }, headers);
    const key = { 'Idempotency-Key': 'first' };
    expect((await test(key)).status).toBe(200);
    await database().query(
      `INSERT INTO chats (account_id, assistant_id, assistant_name, type, variables, price_micros, created_at)
       SELECT account_id, assistant_id, assistant_name, type, variables, 0, now() - interval '23 hours'
         FROM chats, generate_series(1, 97) WHERE account_id = $1`,
      [account.id],
    );
    const statuses = await Promise.all([test(), test(), test(), test()]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const refused = await test();
    expect(refused.body).toMatchObject({
      status: false,
      message: 'You have reached your plan limit of 100 test conversations in 24 hours.',
    });
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    expect((await test(key)).headers.get('idempotent-replayed')).toBe('true');
    await database().query(
      `UPDATE chats SET created_at = now() - interval '25 hours' WHERE account_id = $1 AND created_at < now() - interval '1 hour'`,
      [account.id],
    );
    expect((await test()).status).toBe(200);
  });
});
