import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { DELIVERED, plus, UNDELIVERABLE, type Sms } from '../support/sms.js';

describe('the list of messages', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
    for (const to of [DELIVERED, UNDELIVERABLE, DELIVERED]) {
      await user.client.post('/user/sms', { from: user.phoneNumber.id, to, body: to });
    }
  });

  const list = (query: string, { client } = user) =>
    client.get<{ total: number; data: Sms[]; per_page: number }>(`/user/sms${query}`);

  it('has the messages of the user, newest first', async () => {
    const { body } = await list('');
    expect([body.total, body.per_page]).toEqual([3, 15]);
    const ids = body.data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect((await list('', other)).body.total).toBe(0);
  });

  it.each([
    [`?phone_number=${plus(DELIVERED)}`, 2],
    ['?phone_number=(500) 555-0007', 1],
    ['?phone_number=nobody', 0],
    [`?date_from=2020-01-01&date_to=2999-12-31`, 3],
    ['?date_to=2020-01-01', 0],
    ['?date_from=2999-01-01', 0],
    ['?page=2&per_page=2', 3],
    ['?status=pending', 0],
  ])('filters (%s)', async (query, total) => {
    const { status, body } = await list(query);
    expect([status, body.total]).toEqual([200, total]);
  });

  it('has days of a time zone', async () => {
    const first = (await list('')).body.data.at(-1)?.created_at ?? '';
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(
      new Date(`${first.replace(' ', 'T')}Z`),
    );
    // There the same day begins 25 hours later.
    for (const [zone, total] of [
      ['Pacific/Kiritimati', 3],
      ['Pacific/Pago_Pago', 0],
    ])
      expect((await list(`?date_from=${day}&timezone=${zone}`)).body.total).toBe(total);
  });

  it.each([
    ['?status=lost', { status: ['The selected status is invalid.'] }],
    [
      '?date_from=2026-02-30',
      { date_from: ['The date from field must be a valid date in the format YYYY-MM-DD.'] },
    ],
    ['?timezone=Moon', { timezone: ['The timezone field must be a valid timezone.'] }],
    ['?per_page=101', { per_page: ['The per page field must be between 1 and 100.'] }],
  ])('refuses %s', async (query, errors) => {
    const answer = await list(query);
    expect([answer.status, answer.body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });
});
