import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database } from '../support/database.js';

interface Entry {
  id: number;
  kind: string;
  reference: string;
  amount: number;
  balance: number;
  created_at: string;
}

interface EntryPage {
  data: Entry[];
  total: number;
  per_page: number;
}

describe('GET /user/ledger', () => {
  let user: TestAccount;
  let other: TestAccount;
  let sent: { id: number; total_cost: number };
  let refused: number;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount({ balance: 10 }), anAccount({ balance: 5 })]);
    const message = { from: user.phoneNumber.id, to: '+15005550006', body: 'Hello' };
    sent = (await user.client.post<{ data: typeof sent }>('/user/sms', message)).body.data;
    await user.client.post('/user/sms', { ...message, to: '+15005550009' });
    const { body } = await user.client.get<{ data: { id: number }[] }>('/user/sms?status=failed');
    refused = body.data[0]?.id ?? 0;
  });

  it('lists every entry, newest first', async () => {
    const { status, body } = await user.client.get<EntryPage>('/user/ledger');
    expect(status).toBe(200);
    expect([body.total, body.per_page]).toEqual([4, 15]);
    const after = 10 - sent.total_cost;
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const id = expect.any(Number);
    expect(body.data).toEqual([
      {
        id,
        kind: 'sms-refund',
        reference: String(refused),
        amount: sent.total_cost,
        balance: after,
        created_at: at,
      },
      {
        id,
        kind: 'sms',
        reference: String(refused),
        amount: -sent.total_cost,
        balance: expect.closeTo(after - sent.total_cost, 6),
        created_at: at,
      },
      {
        id,
        kind: 'sms',
        reference: String(sent.id),
        amount: -sent.total_cost,
        balance: after,
        created_at: at,
      },
      { id, kind: 'top-up', reference: expect.any(String), amount: 10, balance: 10, created_at: at },
    ]);
  });

  it('shows the current balance in the newest entry', async () => {
    const { body } = await user.client.get<EntryPage>('/user/ledger?per_page=1');
    const me = await user.client.get<{ total_balance: number }>('/user/me');
    expect(body.data[0]?.balance).toBe(me.body.total_balance);
  });

  it('is paginated', async () => {
    const [first, second] = await Promise.all([
      user.client.get<EntryPage>('/user/ledger?per_page=3'),
      user.client.get<EntryPage>('/user/ledger?per_page=3&page=2'),
    ]);
    expect([first.body.data.length, second.body.data.length]).toEqual([3, 1]);
    expect(second.body.data[0]?.kind).toBe('top-up');
  });

  it("does not show other users' entries", async () => {
    const { body } = await other.client.get<EntryPage>('/user/ledger');
    expect(body.data.map(({ kind, amount }) => [kind, amount])).toEqual([['top-up', 5]]);
  });

  it('refuses a page size out of range', async () => {
    const { status, body } = await user.client.get('/user/ledger?per_page=0');
    expect([status, body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        errors: { per_page: ['The per page field must be between 1 and 100.'] },
      },
    ]);
  });
});

interface Posted {
  kind: string;
  reference: string;
  micros: number;
  at: string;
}

/** In this order, at times that need not be in order. */
async function post({ id }: TestAccount, entries: Posted[]): Promise<void> {
  for (const { kind, reference, micros, at } of entries) {
    await database().query(
      `WITH moved AS (UPDATE accounts SET balance_micros = balance_micros + $4 WHERE id = $1 RETURNING balance_micros)
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros, created_at)
       SELECT $1, $2, $3, $4, balance_micros, $5 FROM moved`,
      [id, kind, reference, micros, at],
    );
  }
}

interface Day {
  date: string;
  balance: number;
  credits: number;
  debits: number;
}

describe('days of the ledger', () => {
  let user: TestAccount;
  /** Of no call of another test. */
  const call = 2_000_000_000 + Math.floor(Math.random() * 100_000_000);
  const days = async (query: string): Promise<Day[]> => {
    const { status, body } = await user.client.get<{ data: { days: Day[] } }>(`/user/ledger/daily?${query}`);
    expect(status).toBe(200);
    return body.data.days;
  };
  const found = async (query: string): Promise<string[]> =>
    (await user.client.get<EntryPage>(`/user/ledger?${query}`)).body.data.map(
      ({ kind, amount }) => `${kind} ${amount}`,
    );

  beforeAll(async () => {
    user = await anAccount({ balance: 100 });
    await database().query('UPDATE ledger_entries SET created_at = $2 WHERE account_id = $1', [
      user.id,
      '2026-03-27T10:00:00Z',
    ]);
    await post(user, [
      // In Berlin the 29th, a day of 23 hours, is from 23:00 of the 28th to 22:00.
      { kind: 'call', reference: String(call), micros: -1_500_000, at: '2026-03-28T23:30:00Z' },
      // Began before midnight in Berlin, and came behind one that began after it.
      { kind: 'sms', reference: `a${call}`, micros: -75_000, at: '2026-03-29T22:00:00Z' },
      { kind: 'call-carrier', reference: String(call), micros: -14_001, at: '2026-03-29T21:59:59Z' },
      { kind: 'sms-refund', reference: `a${call}`, micros: 75_000, at: '2026-03-31T12:00:00Z' },
    ]);
  });

  it('are those of the zone, with the balance at their end', async () => {
    const query = 'from=2026-03-26&to=2026-03-31&timezone=europe/berlin';
    expect(await days(query)).toEqual([
      { date: '2026-03-26', balance: 0, credits: 0, debits: 0 },
      { date: '2026-03-27', balance: 100, credits: 100, debits: 0 },
      { date: '2026-03-28', balance: 100, credits: 0, debits: 0 },
      { date: '2026-03-29', balance: 98.485999, credits: 0, debits: 1.514001 },
      { date: '2026-03-30', balance: 98.410999, credits: 0, debits: 0.075 },
      { date: '2026-03-31', balance: 98.485999, credits: 0.075, debits: 0 },
    ]);
    const utc = await days('from=2026-03-28&to=2026-03-28');
    expect(utc).toEqual([{ date: '2026-03-28', balance: 98.5, credits: 0, debits: 1.5 }]);
  });

  it('agree with a recount of the entries', async () => {
    const shown = await days('from=2026-03-25&to=2026-04-02&timezone=America/New_York');
    const { rows } = await database().query<{ date: string; balance: string }>(
      `SELECT day::text AS date, coalesce(sum(amount_micros), 0)::text AS balance
         FROM (SELECT generate_series('2026-03-25'::date, '2026-04-02', '1 day')::date AS day) AS days
         LEFT JOIN ledger_entries ON account_id = $1
          AND created_at < (day + 1)::timestamp AT TIME ZONE 'America/New_York'
        GROUP BY day ORDER BY day`,
      [user.id],
    );
    const recount = rows.map(({ date, balance }) => ({ date, balance: Number(balance) / 1e6 }));
    expect(shown.map(({ date, balance }) => ({ date, balance }))).toEqual(recount);
  });

  it('are at most 366 and in order', async () => {
    expect(await days('from=2026-01-01&to=2027-01-01')).toHaveLength(366);
    const errors = async (query: string) => (await user.client.get(`/user/ledger/daily?${query}`)).body;
    expect(await errors('from=2026-01-01&to=2027-01-02')).toMatchObject({
      errors: { to: ['The to field must be within 366 days of from.'] },
    });
    expect(await errors('from=2026-01-02&to=2026-01-01')).toMatchObject({
      errors: { to: ['The to field must be a date after or equal to from.'] },
    });
  });

  it('filter the list, as do kind and call', async () => {
    expect(await found('kind=sms')).toEqual(['sms -0.075']);
    expect(await found(`call_id=${call}`)).toEqual(['call-carrier -0.014001', 'call -1.5']);
    expect(await found(`call_id=${call + 1}`)).toEqual([]);
    expect(await found('date_from=2026-03-29&date_to=2026-03-29')).toEqual([
      'call-carrier -0.014001',
      'sms -0.075',
    ]);
    const berlin = '&timezone=Europe/Berlin';
    expect(await found(`date_from=2026-03-29&date_to=2026-03-29${berlin}`)).toEqual([
      'call-carrier -0.014001',
      'call -1.5',
    ]);
    expect(await found(`date_from=2026-03-30&kind=sms-refund${berlin}`)).toEqual(['sms-refund 0.075']);
  });
});
