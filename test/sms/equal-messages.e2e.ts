import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { Carrier } from '../support/carrier.js';
import { balanceOf, DELIVERED, type Sent, type Sms } from '../support/sms.js';
import { until } from '../support/until.js';

const GIVE_BACK = `UPDATE accounts SET balance_micros = balance_micros + total_cost_micros FROM refunded
   WHERE accounts.id = account_id RETURNING account_id, balance_micros`;

describe('equal messages whose responses are lost', () => {
  const carrier = Carrier.shared();
  let user: TestAccount;
  let messages: (Sms & { token: string })[];
  const listed = async (): Promise<Sms[]> =>
    (await user.client.get<{ data: Sms[] }>('/user/sms')).body.data.toSorted(
      (one, other) => one.id - other.id,
    );
  const report = (index: number, sid: string | null | undefined) =>
    carrier.says(`sms-status/${messages[index]?.token}`, {
      MessageSid: sid ?? '',
      MessageStatus: 'delivered',
    });

  /** As `sms-check` does it with a message that no list has. */
  const refund = (id: number | undefined) =>
    carrier.db.query(
      `WITH refunded AS (
         UPDATE sms_messages SET status = 'failed', sms_sid = NULL, error = 'The provider never confirmed it'
          WHERE id = $1 RETURNING id, account_id, total_cost_micros),
       moved AS (${GIVE_BACK})
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
       SELECT account_id, 'sms-refund', refunded.id::text, total_cost_micros, balance_micros
         FROM refunded JOIN moved USING (account_id)`,
      [id],
    );

  beforeAll(async () => {
    user = await anAccount({ balance: 10 });
    for (let count = 0; count < 3; count++) {
      const order = { from: user.phoneNumber.id, to: DELIVERED, body: 'Your table is ready.' };
      await user.client.post<Sent>('/user/sms', order);
    }
    const delivered = await until(async () => {
      const all = await listed();
      return all.length === 3 && all.every(({ status }) => status === 'delivered') ? all : null;
    });
    const { rows } = await carrier.db.query<{ id: number; token: string }>(
      'SELECT id, token FROM sms_messages WHERE account_id = $1',
      [user.id],
    );
    messages = delivered.map((sms) => ({ ...sms, token: rows.find(({ id }) => id === sms.id)?.token ?? '' }));
  });

  it('are all charged when one that has the identifier of another gets its own', async () => {
    const before = await balanceOf(user);
    const [first, second] = messages;
    await refund(first?.id);
    await carrier.db.query('UPDATE sms_messages SET sms_sid = $2 WHERE id = $1', [
      second?.id,
      first?.sms_sid,
    ]);
    expect(await balanceOf(user)).toBeGreaterThan(before);
    await report(1, second?.sms_sid);
    expect(await listed()).toMatchObject(
      messages.map(({ id, sms_sid }) => ({ id, sms_sid, status: 'delivered' })),
    );
    expect(await balanceOf(user)).toBeCloseTo(before, 6);
  });

  it('stay charged once each when the owner of a reassigned identifier is found', async () => {
    const before = await balanceOf(user);
    const [first, , third] = messages;
    await refund(third?.id);
    const refunded = await balanceOf(user);
    expect(refunded).toBeGreaterThan(before);
    await report(2, first?.sms_sid);
    expect((await listed())[0]).toMatchObject({ sms_sid: first?.sms_sid, status: 'delivered' });
    expect((await listed())[2]).toMatchObject({ sms_sid: null, status: 'failed' });
    expect(await balanceOf(user)).toBe(refunded);
  });
});
