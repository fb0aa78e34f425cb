import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { database } from '../support/database.js';

it('lists and exports the calls of one lead', async () => {
  const { id: account, client } = await anAccount();
  const call = async (lead: number | null): Promise<number> => {
    const { rows } = await database().query<{ id: number }>(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, lead_id, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration)
       VALUES ($1, 1, 'Ada', $2, 'outbound', 'busy', gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0, 600)
       RETURNING id`,
      [account, lead],
    );
    return rows[0]?.id ?? 0;
  };
  const [first, , , second] = [await call(7), await call(8), await call(null), await call(7)];
  const { body } = await client.get<{ total: number; data: { id: number }[] }>('/user/calls?lead_id=7');
  expect([body.total, body.data.map(({ id }) => id)]).toEqual([2, [second, first]]);
  const { text } = await client.get('/user/calls/export?lead_id=7');
  expect(text.trim().split('\n')).toHaveLength(3);
});
