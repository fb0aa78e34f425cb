import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { until } from '../support/until.js';

interface Suppression {
  id: number;
  phone_number: string;
  reason: string | null;
  source: string;
  created_at: string;
}

describe('suppressions', () => {
  let one: TestAccount;
  let other: TestAccount;

  const add = async (fields: Record<string, unknown>, account = one): Promise<Suppression> => {
    const { status, body } = await account.client.post<{ message: string; data: Suppression }>(
      '/user/suppressions',
      fields,
    );
    expect([status, body.message]).toEqual([200, 'Suppression created successfully']);
    return body.data;
  };
  const list = async (account: TestAccount): Promise<Suppression[]> =>
    (await account.client.get<Suppression[]>('/user/suppressions')).body;

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
  });

  it('lists the numbers of the account, newest first', async () => {
    const first = await add({ phone_number: '(415) 555-0124', reason: 'Asked by e-mail' });
    const second = await add({ phone_number: '+442079460123' });
    expect(first).toEqual({
      id: expect.any(Number),
      phone_number: '+14155550124',
      reason: 'Asked by e-mail',
      source: 'api',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(second.reason).toBeNull();
    expect(await list(one)).toEqual([second, first]);
    expect(await list(other)).toEqual([]);
  });

  it('returns the existing one for a repeated number, also for concurrent requests', async () => {
    const phone_number = aNumber();
    const first = await add({ phone_number, reason: 'first' });
    const again = await Promise.all(Array.from({ length: 10 }, () => add({ phone_number, reason: 'again' })));
    expect(again).toEqual(Array(10).fill(first));
    expect((await add({ phone_number }, other)).id).not.toBe(first.id);
  });

  it('deletes; returns 404 for foreign and deleted ones', async () => {
    const { id } = await add({ phone_number: aNumber() });
    const missing = [404, { message: 'Suppression not found' }];
    const foreign = await other.client.delete(`/user/suppressions/${id}`);
    expect([foreign.status, foreign.body]).toEqual(missing);
    const deleted = await one.client.delete(`/user/suppressions/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Suppression deleted successfully' }]);
    const again = await one.client.delete(`/user/suppressions/${id}`);
    expect([again.status, again.body]).toEqual(missing);
  });

  it('has the number of a person who requests no more calls, which is not called again', async () => {
    const user = await anAccount();
    const [assistant_id, phone_number] = [await anAssistant(user), '+15005550024'];
    await callWhen(
      user,
      await aCall(user, assistant_id, { phoneNumber: phone_number }),
      ({ status }) => status === 'completed',
    );
    expect(await list(user)).toMatchObject([{ phone_number, source: 'call' }]);
    const { status, body } = await user.client.post('/user/make_call', { assistant_id, phone_number });
    expect([status, body]).toEqual([422, { message: 'The phone number is on the suppression list.' }]);
    const campaign_id = await aCampaign(user, { assistant_id });
    const { id } = await aLead(user, campaign_id, { phone_number });
    await user.client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
    const lead = await until(async () => {
      const now = (await user.client.get<{ data: TestLead }>(`/user/leads/${id}`)).body.data;
      return now.status === 'blacklisted' && now;
    });
    expect(lead).toMatchObject({ attempts: 0, last_outcome: 'suppressed' });
  });

  describe('importing a file', () => {
    const send = (csv: string) => {
      const form = new FormData();
      form.append('file', new Blob([csv], { type: 'text/csv' }), 'suppressions.csv');
      return one.client.send<{ message: string; data: object; errors?: object }>(
        'POST',
        '/user/suppressions/import',
        form,
      );
    };

    it('stores the valid lines once and reports the others', async () => {
      const [known, first, second] = [aNumber(), aNumber(), aNumber()];
      await add({ phone_number: known, reason: 'first' });
      const csv = [
        'Name;Phone Number;Reason',
        `Ada;${first};Asked by e-mail`,
        `Ben;${second};`,
        `Ben;${second};again`,
        `Cy;${known};later`,
        'Di;nobody;',
        ';;no number',
        `Ed;${aNumber()};${'x'.repeat(256)}`,
      ].join('\n');
      const { status, body } = await send(csv);
      expect([status, body]).toEqual([
        200,
        {
          message: 'Suppressions imported successfully',
          data: {
            imported: 2,
            duplicates: 2,
            invalid: 3,
            errors: [
              {
                line: 6,
                field: 'phone_number',
                message: 'The phone number field must be a valid phone number.',
              },
              { line: 7, field: 'phone_number', message: 'The phone number field is required.' },
              {
                line: 8,
                field: 'reason',
                message: 'The reason field must not be greater than 255 characters.',
              },
            ],
          },
        },
      ]);
      const stored = new Map((await list(one)).map((entry) => [entry.phone_number, entry.reason]));
      expect([known, first, second].map((number) => stored.get(number))).toEqual([
        'first',
        'Asked by e-mail',
        null,
      ]);
      expect((await list(other)).filter(({ phone_number }) => phone_number === first)).toEqual([]);
      expect((await send(csv)).body.data).toMatchObject({ imported: 0, duplicates: 4, invalid: 3 });
    });

    it('reports a quote that joins lines, and does not store their numbers as a reason', async () => {
      const [first, swallowed, last] = [aNumber(), aNumber(), aNumber()];
      const csv = `phone_number,reason\n${first},"asked to stop\n${swallowed},"called twice"\n${last},"two\nlines"\n`;
      const message = 'The file field has a quote in the wrong place.';
      expect((await send(csv)).body.data).toEqual({
        imported: 1,
        duplicates: 0,
        invalid: 1,
        errors: [{ line: 2, field: 'file', message }],
      });
      expect((await list(one)).filter(({ reason }) => reason?.includes(swallowed))).toEqual([]);
    });

    it.each([
      ['', 'The file field must not be empty.'],
      ['name\nAda', 'The file field must have a column named phone_number.'],
    ])('refuses %j', async (csv, message) => {
      const { status, body } = await send(csv);
      expect([status, body.errors]).toEqual([422, { file: [message] }]);
    });
  });

  it('paginates, and filters by number', async () => {
    const user = await anAccount();
    const phone_number = aNumber();
    const [oldest, newest] = [
      await add({ phone_number }, user),
      await add({ phone_number: aNumber() }, user),
    ];
    const page = async (query: string) =>
      (await user.client.get<{ data: Suppression[]; total: number }>(`/user/suppressions?${query}`)).body;
    expect(await page('per_page=1')).toMatchObject({ data: [newest], total: 2, per_page: 1 });
    expect(await page('page=2&per_page=1')).toMatchObject({ data: [oldest], total: 2 });
    expect(await page('page=1')).toMatchObject({ data: [newest, oldest], per_page: 15 });
    expect(await page(`page=1&phone_number=${phone_number}`)).toMatchObject({ data: [oldest], total: 1 });
    expect(await page(`phone_number=${phone_number.slice(2)}`)).toEqual([oldest]);
    expect(await page('phone_number=nobody')).toEqual([]);
    const wrong = await user.client.get('/user/suppressions?per_page=101');
    expect(wrong.status).toBe(422);
  });

  it.each([
    [{}, { phone_number: ['The phone number field is required.'] }],
    [{ phone_number: '12' }, { phone_number: ['The phone number field must be a valid phone number.'] }],
    [{ phone_number: '+14155550125', reason: 5 }, { reason: ['The reason field must be a string.'] }],
    [
      { phone_number: '+14155550125', reason: 'a'.repeat(256) },
      { reason: ['The reason field must not be greater than 255 characters.'] },
    ],
  ])('refuses %j', async (fields, errors) => {
    const { status, body } = await one.client.post('/user/suppressions', fields);
    expect([status, body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });
});
