import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';

/** spec/decisions.md: phone numbers (section 1), filters (section 2), and make_call (section 3). */
type Fields = Record<string, unknown>;

let user: TestAccount;
let assistant: number;
let campaign: number;

beforeAll(async () => {
  user = await anAccount({ plan: 'unlimited' });
  assistant = await anAssistant(user);
  campaign = await aCampaign(user, { assistant_id: assistant });
});

describe('phone numbers', () => {
  it('leads, contacts, suppressions and calls accept every number in E.164 form with a known calling code', async () => {
    for (const phone_number of ['+1234567890', '+49301', '+441234567890123']) {
      const digits = phone_number.length - 1;
      const answer = await user.client.post('/user/lead', { phone_number, campaign_id: campaign });
      expect([phone_number, answer.status]).toEqual([phone_number, digits >= 7 ? 200 : 422]);
    }
    const lead = await aLead(user, campaign, {
      phone_number: '00 1 (234) 567-891',
      secondary_contacts: [{ phone_number: '+1 234 567 892' }],
    });
    expect([lead.phone_number, lead.secondary_contacts[0]?.phone_number]).toEqual([
      '+1234567891',
      '+1234567892',
    ]);
    const suppression = await user.client.post<{ data: Fields }>('/user/suppressions', {
      phone_number: '+1234567890',
    });
    expect(suppression.body.data.phone_number).toBe('+1234567890');
    const call = { assistant_id: assistant, phone_number: '+1234567893' };
    expect((await user.client.post('/user/make_call', call)).status).toBe(200);
    for (const phone_number of ['+999123456789', '+1234567890123456', '1234567', 'nobody'])
      expect(await user.client.post('/user/make_call', { ...call, phone_number })).toMatchObject({
        status: 400,
        body: { message: 'Invalid phone number format. Please use E.164 format (e.g. +14155552671)' },
      });
  });

  it('an SMS recipient must be valid', async () => {
    const sms = (to: string) =>
      user.client.post('/user/sms', { from: user.phoneNumber.id, to, body: 'Hello' });
    for (const to of ['+1234567890', '+11234567890'])
      expect(await sms(to)).toMatchObject({ status: 400, body: { message: 'Invalid phone number format' } });
  });
});

describe('make_call', () => {
  const call = (body: Fields, account = user) => account.client.post<Fields>('/user/make_call', body);

  it("accepts the assistant's uuid, in any case", async () => {
    const { uuid } = (await user.client.get<{ data: Fields }>(`/user/assistant/${assistant}`)).body.data;
    const answer = await call({ assistant_id: String(uuid).toUpperCase(), phone_number: '+15005550003' });
    expect(answer.body).toEqual({
      message: 'Call initiated successfully',
      call_id: expect.any(Number),
      status: 'initiated',
    });
    const stranger = await anAccount();
    for (const id of [uuid, '00000000-0000-4000-8000-000000000000', assistant]) {
      expect(await call({ assistant_id: id, phone_number: '+15005550003' }, stranger)).toMatchObject({
        status: 404,
        body: { message: 'Assistant not found' },
      });
    }
    for (const id of ['abc', 0, 2_147_483_648, [1], `${uuid}x`, true])
      expect(await call({ assistant_id: id, phone_number: '+15005550003' })).toMatchObject({
        status: 422,
        body: { errors: { assistant_id: ['The assistant id field must be an integer or a UUID.'] } },
      });
  });

  it('reports why a call cannot be made', async () => {
    const active = await anAssistant(user);
    const inactive = await anAssistant(user);
    await user.client.put(`/user/assistant/${inactive}`, { status: 'inactive' });
    const inbound = await anAssistant(user, { calls_direction: 'receive' });
    const refused = async (body: Fields, message: string) => {
      const answer = await call({ assistant_id: active, phone_number: '+15005550022', ...body });
      expect([answer.status, answer.body]).toEqual([422, { message }]);
    };
    await refused({ assistant_id: inactive }, 'The assistant is not active.');
    await refused({ assistant_id: inbound }, 'The assistant is not an outbound assistant.');
    await refused({ phone_number: '+19005551234' }, 'Calls to this destination are not allowed.');
    await user.client.post('/user/suppressions', { phone_number: '+15005550024' });
    await refused({ phone_number: '+15005550024' }, 'The phone number is on the suppression list.');
    await call({ assistant_id: active, phone_number: '+15005550022' });
    await refused({}, 'A call to this number is already in progress.');
    const free = await anAccount({ plan: 'free' });
    const assistant_id = await anAssistant(free);
    const calls = [];
    for (const phone_number of ['+15005550022', '+15005550020', '+15005550027'])
      calls.push((await call({ assistant_id, phone_number }, free)).body);
    expect(calls.at(-1)).toEqual({ message: 'The maximum number of parallel calls is reached.' });
  });
});

describe('filters', () => {
  it('GET /user/leads accepts date_from and date_to in both forms, whole days in UTC', async () => {
    const account = await anAccount({ plan: 'unlimited' });
    const place = await aCampaign(account, { assistant_id: await anAssistant(account) });
    const [early, late] = [await aLead(account, place), await aLead(account, place)];
    const set = (id: number, at: string) =>
      database().query('UPDATE leads SET created_at = $2 WHERE id = $1', [id, at]);
    await set(early.id, '2024-02-28 23:59:59Z');
    await set(late.id, '2024-02-29 23:59:59Z');
    const ids = async (query: string) => {
      const bare = await account.client.get<TestLead[]>(`/user/leads?${query}`);
      const page = await account.client.get<{ total: number; data: TestLead[] }>(
        `/user/leads?${query}&page=1`,
      );
      expect(page.body.data).toEqual(bare.body);
      expect(page.body.total).toBe(bare.body.length);
      return bare.body.map(({ id }) => id);
    };
    expect(await ids('date_from=2024-02-29')).toEqual([late.id]);
    expect(await ids('date_to=2024-02-28')).toEqual([early.id]);
    expect(await ids('date_from=2024-02-28&date_to=2024-02-29')).toEqual([late.id, early.id]);
    expect(await ids('date_to=2024-02-27')).toEqual([]);
    expect((await account.client.get('/user/leads?date_from=2024-02-30')).status).toBe(422);
  });

  it.each(['leads', 'suppressions', 'calls', 'sms'])(
    'phone_number of %s matches fewer than seven digits as a part',
    async (list) => {
      const account = await anAccount({ plan: 'unlimited' });
      const id = await anAssistant(account);
      const place = await aCampaign(account, { assistant_id: id });
      const numbers = ['+12125550188', '+442125550177'];
      for (const [index, number] of numbers.entries()) {
        await aLead(account, place, { phone_number: number });
        await account.client.post('/user/suppressions', { phone_number: number });
        await database().query(
          `WITH call AS (
             INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token,
               assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
             VALUES ($1, $2, 'Ada', 'inbound', 'completed', gen_random_uuid(), '+1', $3, '{}', 0, 600, now()))
           INSERT INTO sms_messages (account_id, phone_number_id, from_number, to_number, body, segments,
             segment_price_micros, total_cost_micros, status, token, sms_sid)
           VALUES ($1, $4, '+1', $3, 'Hello', 1, 1, 1, 'delivered', $5, $5)`,
          [account.id, id, number, account.phoneNumber.id, `${list}-${account.id}-${index}`],
        );
      }
      const total = async (number: string) =>
        (await account.client.get<{ total: number }>(`/user/${list}?page=1&phone_number=${number}`)).body
          .total;
      expect(
        await Promise.all(['212555', '0177', '%2B1212', '+44', '(212) 5', '0', '999'].map(total)),
      ).toEqual([2, 1, 1, 1, 2, 2, 0]);
      expect(
        await Promise.all(['2125550188', '%2B442125550177', '5550188', '%2B1212555', 'x'].map(total)),
      ).toEqual([1, 1, 0, 0, 0]);
    },
  );

  it('phone_number of calls finds callers without a number by the number that is shown', async () => {
    const id = await anAssistant(user);
    const clients = ['anonymous', 'sip:ada@example.com'];
    for (const client of clients)
      await database().query(
        `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
           client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
         VALUES ($1, $2, 'Ada', 'inbound', 'completed', gen_random_uuid(), '+1', $3, '{}', 0, 600, now())`,
        [user.id, id, client],
      );
    for (const client of clients) {
      const { body } = await user.client.get<{ data: Fields[] }>(
        `/user/calls?phone_number=${encodeURIComponent(client)}`,
      );
      expect(body.data.map((call) => call.client_phone_number)).toEqual([client]);
    }
  });

  it('models?type= and voices?mode= work as documented', async () => {
    const models = async (query: string) =>
      (await user.client.get<Fields[]>(`/user/assistants/models${query}`)).body;
    expect(await models('?type=llm')).toEqual(await models(''));
    expect(Object.keys((await models(''))[0] ?? {})).toEqual(['id', 'name']);
    expect(await models('?type=multimodal')).toContainEqual({
      id: 15,
      name: 'gpt-realtime-2.1',
      code: 'gpt-realtime-2.1',
    });
    expect((await user.client.get('/user/assistants/voices?mode=both')).body).toEqual([]);
  });
});
