import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';

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
