import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { database } from '../support/database.js';

type Campaign = Record<string, unknown> & { id: number };

const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const NOT_FOUND = [404, { message: 'Campaign not found.' }];
const invalid = (errors: Record<string, string[]>) => [
  422,
  { message: 'The given data was invalid.', errors },
];
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const NO_LEADS = {
  created: 0,
  scheduled: 0,
  rescheduled: 0,
  processing: 0,
  completed: 0,
  'reached-max-retries': 0,
  blacklisted: 0,
};

describe('campaigns', () => {
  let one: TestAccount;
  let other: TestAccount;
  let assistant: number;
  let foreign: number;

  const get = async (id: number): Promise<Campaign> =>
    (await one.client.get<{ data: Campaign }>(`/user/campaigns/${id}`)).body.data;
  const create = async (fields: Record<string, unknown>): Promise<[number, unknown]> => {
    const answer = await one.client.post('/user/campaigns', {
      name: 'Spring',
      assistant_id: assistant,
      ...fields,
    });
    return [answer.status, answer.body];
  };

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    [assistant, foreign] = await Promise.all([anAssistant(one), aCampaign(other)]);
  });

  it.each(['/user/campaigns', '/user/campaign'])('POST %s creates one with the defaults', async (path) => {
    const { status, body } = await one.client.post<{ data: Campaign }>(path, {
      name: 'Spring',
      assistant_id: assistant,
    });
    expect([status, body]).toEqual([
      201,
      {
        message: 'Campaign created successfully',
        data: {
          id: expect.any(Number),
          name: 'Spring',
          status: 'draft',
          stopped_reason: null,
          paused_reason: null,
          estimated_end_at: null,
          assistant_id: assistant,
          timezone: 'Europe/Berlin',
          max_calls_in_parallel: 3,
          allowed_hours_start_time: '00:00',
          allowed_hours_end_time: '23:59',
          allowed_days: DAYS,
          windows: [],
          strict_timezones: false,
          quiet_hours: 'none',
          max_retries: 3,
          retry_interval: 60,
          retry_on_voicemail: false,
          retry_on_goal_incomplete: false,
          goal_completion_variable: null,
          mark_complete_when_no_leads: true,
          phone_number_ids: [],
          created_at: DATE_TIME,
          updated_at: DATE_TIME,
        },
      },
    ]);
    const stats = {
      leads: NO_LEADS,
      calls: expect.any(Object),
      transfers: expect.any(Object),
      actions: { screening: 0, keys: 0, language: 0, callback: 0, voicemail: 0 },
    };
    expect(await get(body.data.id)).toEqual({ ...body.data, stats });
  });

  it('stores every setting, and keeps missing ones on update', async () => {
    const settings = {
      timezone: 'America/New_York',
      max_calls_in_parallel: 10,
      allowed_hours_start_time: '22:00',
      allowed_hours_end_time: '06:30',
      allowed_days: ['friday', 'monday'],
      windows: [
        { days: ['monday'], start: '09:00', end: '12:30' },
        { days: ['monday', 'friday'], start: '14:00', end: '24:00' },
      ],
      strict_timezones: true,
      quiet_hours: 'auto',
      max_retries: 5,
      retry_interval: 4320,
      retry_on_voicemail: true,
      retry_on_goal_incomplete: true,
      goal_completion_variable: 'status',
      mark_complete_when_no_leads: false,
      phone_number_ids: [one.phoneNumber.id],
    };
    const id = await aCampaign(one, settings);
    expect(await get(id)).toMatchObject(settings);
    const { status, body } = await one.client.put<{ data: Campaign }>(`/user/campaigns/${id}`, {
      name: 'Autumn',
      goal_completion_variable: null,
      phone_number_ids: [],
    });
    const { stats: _, ...now } = await get(id);
    expect([status, body]).toEqual([200, { message: 'Campaign updated successfully', data: now }]);
    const changed = { name: 'Autumn', goal_completion_variable: null, phone_number_ids: [] };
    expect(now).toMatchObject({ ...settings, ...changed });
    expect((await one.client.put(`/user/campaigns/${id}`, {})).status).toBe(200);
  });

  it("accepts as a goal only fields of the assistant's evaluation", async () => {
    const refused = {
      message: 'The given data was invalid.',
      errors: { goal_completion_variable: ['The selected goal completion variable is invalid.'] },
    };
    const booked = { name: 'booked', type: 'bool', description: 'Whether an appointment was made.' };
    const [assistant_id, plain] = await Promise.all([
      anAssistant(one, { post_call_schema: [booked] }),
      anAssistant(one),
    ]);
    const fields = { name: 'Spring', assistant_id, goal_completion_variable: 'status' };
    expect(await create(fields)).toEqual([422, refused]);
    const id = await aCampaign(one, { assistant_id, goal_completion_variable: 'booked' });
    const update = (changes: object) => one.client.put(`/user/campaigns/${id}`, changes);
    expect((await update({ goal_completion_variable: 'status' })).body).toEqual(refused);
    // The other assistant does not find out what the campaign counts by.
    expect((await update({ assistant_id: plain })).body).toEqual(refused);
    expect((await update({ assistant_id: plain, goal_completion_variable: 'status' })).status).toBe(200);
  });

  it('lists the campaigns of the account as an array, newest first', async () => {
    const account = await anAccount();
    const first = await aCampaign(account);
    const second = await aCampaign(account);
    const { body } = await account.client.get<Campaign[]>('/user/campaigns');
    expect(body.map(({ id }) => id)).toEqual([second, first]);
  });

  it('counts main leads by status', async () => {
    const id = await aCampaign(one);
    await aLead(one, id, { secondary_contacts: [{ phone_number: aNumber() }] });
    const lead = await aLead(one, id);
    await one.client.put(`/user/leads/${lead.id}`, { status: 'completed' });
    expect((await get(id)).stats).toMatchObject({ leads: { ...NO_LEADS, created: 1, completed: 1 } });
  });

  it('counts main leads by status in the list on request', async () => {
    const account = await anAccount();
    await aCampaign(account);
    await aLead(account, await aCampaign(account));
    const { body } = await account.client.get<Campaign[]>('/user/campaigns?counts=true');
    expect(body.map(({ leads }) => leads)).toEqual([{ ...NO_LEADS, created: 1 }, NO_LEADS]);
  });

  it('counts only calls of the account', async () => {
    const id = await aCampaign(one);
    const stranger = await anAccount();
    for (const account of [one, stranger]) {
      await database().query(
        `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
           client_phone_number, variables, price_per_minute_micros, max_duration, campaign_id)
         VALUES ($1, 1, 'Ada', 'outbound', 'busy', gen_random_uuid(), '+14155550100', '+14155550101', '{}', 0, 60,
           $2)`,
        [account.id, id],
      );
    }
    expect((await get(id)).stats).toMatchObject({ calls: { busy: 1 } });
  });

  it('requires a name and an assistant', async () => {
    const missing = {
      name: ['The name field is required.'],
      assistant_id: ['The assistant id field is required.'],
    };
    expect(await create({ name: undefined, assistant_id: undefined })).toEqual(invalid(missing));
  });

  it('accepts only an outbound assistant and numbers of the user', async () => {
    const wrong = invalid({ assistant_id: ['The selected assistant id is invalid.'] });
    expect(await create({ assistant_id: await anAssistant(other) })).toEqual(wrong);
    expect(await create({ assistant_id: 2_147_483_000 })).toEqual(wrong);
    expect(await create({ assistant_id: await anAssistant(one, { calls_direction: 'receive' }) })).toEqual(
      wrong,
    );
    expect(await create({ phone_number_ids: [one.phoneNumber.id, other.phoneNumber.id] })).toEqual(
      invalid({ phone_number_ids: ['The selected phone number ids is invalid.'] }),
    );
    const id = await aCampaign(one);
    const { status } = await one.client.put(`/user/campaigns/${id}`, {
      assistant_id: await anAssistant(other),
    });
    expect(status).toBe(422);
  });

  it.each([
    [{ allowed_hours_start_time: '24:00' }, 'The allowed hours start time field format is invalid.'],
    [{ allowed_hours_end_time: '9:00' }, 'The allowed hours end time field format is invalid.'],
    [{ allowed_days: [] }, 'The allowed days field must have at least 1 item.'],
    [{ allowed_days: ['Monday'] }, 'The selected allowed days is invalid.'],
    [{ allowed_days: ['monday', 'monday'] }, 'The allowed days field must not have duplicate values.'],
    [{ max_calls_in_parallel: 11 }, 'The max calls in parallel field must be between 1 and 10.'],
    [{ max_retries: 0 }, 'The max retries field must be between 1 and 5.'],
    [{ retry_interval: 9 }, 'The retry interval field must be between 10 and 4320.'],
    [{ goal_completion_variable: 'two words' }, 'The goal completion variable field format is invalid.'],
    [{ phone_number_ids: ['x'] }, 'The phone number ids field must be a list of integers.'],
    [{ retry_on_voicemail: 'yes' }, 'The retry on voicemail field must be true or false.'],
  ])('refuses %j', async (fields, message) => {
    expect(await create(fields)).toEqual(invalid({ [Object.keys(fields)[0] ?? '']: [message] }));
  });

  it('refuses a time zone that does not exist', async () => {
    const [status, body] = await create({ timezone: 'Europe/Atlantis' });
    expect([status, body]).toMatchObject([422, { errors: { timezone: [expect.any(String)] } }]);
  });

  it('enforces the limit of the plan, also for concurrent requests', async () => {
    const account = await anAccount({ plan: 'free' });
    const assistant_id = await anAssistant(account);
    const answers = await Promise.all(
      Array.from({ length: 15 }, () =>
        account.client.post('/user/campaigns', { name: 'Spring', assistant_id }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.body]).toEqual([
      422,
      {
        message: 'You have reached your plan limit of 5 campaigns. Please upgrade your plan to create more.',
      },
    ]);
    const [created] = (await account.client.get<Campaign[]>('/user/campaigns')).body;
    await account.client.delete(`/user/campaigns/${created?.id}`);
    expect(await aCampaign(account, { assistant_id })).toBeGreaterThan(0);
  });

  it.each(['/user/campaigns', '/user/campaign'])(
    'DELETE %s/{id} removes it with its leads, its calls stay',
    async (path) => {
      const id = await aCampaign(one);
      const lead = await aLead(one, id, { secondary_contacts: [{ phone_number: aNumber() }] });
      const call = await database().query<{ id: number }>(
        `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, lead_id, type, status, token,
         assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
       VALUES ($1, $2, 'Ada', $3, 'Spring', $4, 'outbound', 'completed', $5, '+14155550100', $6, '{}', 0, 600, now())
       RETURNING id`,
        [one.id, assistant, id, lead.id, `campaigns-${id}`, lead.phone_number],
      );
      const { status, body } = await one.client.delete(`${path}/${id}`);
      expect([status, body]).toEqual([200, { message: 'Campaign deleted successfully' }]);
      for (const answer of [
        await one.client.get(`/user/campaigns/${id}`),
        await one.client.put(`/user/campaigns/${id}`, { name: 'x' }),
        await one.client.delete(`${path}/${id}`),
      ]) {
        expect([answer.status, answer.body]).toEqual(NOT_FOUND);
      }
      const start = { campaign_id: id, action: 'start' };
      expect((await one.client.post('/user/campaigns/update-status', start)).status).toBe(404);
      expect((await one.client.get(`/user/leads/${lead.id}`)).status).toBe(404);
      expect((await one.client.get(`/user/leads/${lead.secondary_contacts[0]?.id}`)).status).toBe(404);
      expect((await one.client.post('/user/lead', { campaign_id: id, phone_number: aNumber() })).status).toBe(
        422,
      );
      const kept = await database().query('SELECT campaign_name FROM calls WHERE id = $1', [
        call.rows[0]?.id,
      ]);
      expect(kept.rows).toEqual([{ campaign_name: 'Spring' }]);
    },
  );

  it("returns 404 for other users' campaigns", async () => {
    for (const answer of [
      await one.client.get(`/user/campaigns/${foreign}`),
      await one.client.put(`/user/campaigns/${foreign}`, { name: 'mine', assistant_id: 2_147_483_000 }),
      await one.client.delete(`/user/campaigns/${foreign}`),
      await one.client.delete(`/user/campaign/${foreign}`),
    ])
      expect([answer.status, answer.body]).toEqual(NOT_FOUND);
  });
});
