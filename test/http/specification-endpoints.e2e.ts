import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { DELIVERED, type Sent } from '../support/sms.js';
import {
  noDay,
  noPhone,
  notBoolean,
  notInteger,
  notList,
  notObject,
  notText,
  outside,
  required,
  selected,
  tooLong,
  type Text,
} from '../support/texts.js';

/** Every row of the tables of sections 4.1, 4.5 and 4.6: what is accepted and then seen, what is refused and in which words. */
type Fields = Record<string, unknown>;
type Wrong = [value: unknown, text: Text][];

const invalid = (errors: Fields) => [422, { message: 'The given data was invalid.', errors }];

let user: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  [user, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount()]);
});

const post = async (path: string, body: Fields) => {
  const answer = await user.client.post(path, body);
  return [answer.status, answer.body];
};
const put = async (path: string, body: Fields) => {
  const answer = await user.client.put(path, body);
  return [answer.status, answer.body];
};

describe('leads', () => {
  let campaign: number;
  let second: number;
  let foreign: number;

  beforeAll(async () => {
    [campaign, second, foreign] = await Promise.all([
      aCampaign(user, { name: 'Spring offer' }),
      aCampaign(user, { name: 'Autumn offer' }),
      aCampaign(other),
    ]);
  });

  const listed = async (id: number) =>
    (await user.client.get<TestLead[]>('/user/leads')).body.find((lead) => lead.id === id);
  const refused = async (method: typeof post, path: string, field: string, wrong: Wrong) => {
    for (const [value, text] of wrong) {
      const body = method === post ? { phone_number: aNumber(), campaign_id: campaign } : {};
      expect(await method(path, { ...body, [field]: value })).toEqual(invalid({ [field]: [text(field)] }));
    }
  };

  const CREATE: [field: string, given: () => Fields, shown: () => Fields, wrong: () => Wrong][] = [
    [
      'phone_number',
      () => ({ phone_number: '(415) 555-2671' }),
      () => ({ phone_number: '+14155552671', status: 'created' }),
      () => [
        [undefined, required],
        ['nobody', noPhone],
        [5, notText],
      ],
    ],
    [
      'campaign_id',
      () => ({ campaign_id: second }),
      () => ({ campaign_id: second, campaign: { id: second, name: 'Autumn offer' } }),
      () => [
        [undefined, required],
        [foreign, selected],
        ['x', notInteger],
      ],
    ],
    [
      'variables',
      () => ({ variables: { customer_name: 'Ada', visits: 3 } }),
      () => ({ variables: { customer_name: 'Ada', visits: 3 } }),
      () => [
        ['Ada', notObject],
        [['Ada'], notObject],
      ],
    ],
    ['allow_dupplicate', () => ({ allow_dupplicate: true }), () => ({}), () => [['yes', notBoolean]]],
    [
      'secondary_contacts',
      () => ({ secondary_contacts: [{ phone_number: '(415) 555-2672', variables: { of: 'Ada' } }] }),
      () => ({
        secondary_contacts: [
          expect.objectContaining({
            phone_number: '+14155552672',
            variables: { of: 'Ada' },
            status: 'created',
          }),
        ],
      }),
      () => [['+14155552672', notList]],
    ],
  ];

  it.each(CREATE)('POST /user/lead: %s', async (field, given, shown, wrong) => {
    const lead = await aLead(user, campaign, given());
    expect(lead).toMatchObject(shown());
    expect(await listed(lead.id)).toEqual(lead);
    await refused(post, '/user/lead', field, wrong());
  });

  it('POST /user/lead: allow_dupplicate allows a number twice in a campaign', async () => {
    const { phone_number, id } = await aLead(user, campaign);
    const twice = { phone_number, campaign_id: campaign };
    const error = invalid({ phone_number: ['The phone number already exists in this campaign.'] });
    expect(await post('/user/lead', twice)).toEqual(error);
    expect(await post('/user/lead', { ...twice, allow_dupplicate: false })).toEqual(error);
    const copy = await aLead(user, campaign, { phone_number, allow_dupplicate: true });
    expect(copy.id).not.toBe(id);
  });

  it('POST /user/lead: secondary_contacts are validated', async () => {
    const secondary_contacts = [{}, { phone_number: 'nobody', variables: 5 }];
    expect(
      await post('/user/lead', { phone_number: aNumber(), campaign_id: campaign, secondary_contacts }),
    ).toEqual(
      invalid({
        'secondary_contacts.0.phone_number': [required('phone_number')],
        'secondary_contacts.1.variables': [notObject('variables')],
      }),
    );
  });

  const UPDATE: typeof CREATE = [
    [
      'campaign_id',
      () => ({ campaign_id: second }),
      () => ({ campaign_id: second, campaign: { id: second, name: 'Autumn offer' } }),
      () => [
        [foreign, selected],
        ['x', notInteger],
      ],
    ],
    [
      'phone_number',
      () => ({ phone_number: '(415) 555-2673' }),
      () => ({ phone_number: '+14155552673' }),
      () => [
        ['nobody', noPhone],
        [null, notText],
      ],
    ],
    [
      'status',
      () => ({ status: 'reached-max-retries' }),
      () => ({ status: 'reached-max-retries' }),
      () => [
        ['processing', selected],
        [null, selected],
      ],
    ],
    [
      'variables',
      () => ({ variables: { city: 'Lisbon' } }),
      () => ({ variables: { customer_name: 'Ada', city: 'Lisbon' } }),
      () => [
        ['Lisbon', notObject],
        [null, notObject],
      ],
    ],
  ];

  it.each(UPDATE)('PUT /user/leads/{id}: %s', async (field, given, shown, wrong) => {
    const lead = await aLead(user, campaign, { variables: { customer_name: 'Ada' } });
    const path = `/user/leads/${lead.id}`;
    expect(await put(path, given())).toEqual([200, { message: 'Lead updated successfully' }]);
    const updated = { ...lead, ...shown(), updated_at: expect.any(String) };
    expect(await listed(lead.id)).toEqual(updated);
    await refused(put, path, field, wrong());
    expect(await listed(lead.id)).toEqual(updated);
  });
});

describe('calls', () => {
  const CLIENT = '+14155552680';
  const STATUSES =
    'initiated ringing busy in-progress ended completed ended_by_customer ended_by_assistant no-answer failed'.split(
      ' ',
    );
  let assistant: number;
  let campaign: number;
  let rare: number;

  /** Many ordinary calls of today, and one that differs in everything. */
  beforeAll(async () => {
    assistant = await anAssistant(user);
    campaign = await aCampaign(user, { assistant_id: assistant });
    const { rows } = await database().query<{ id: number; rare: boolean }>(
      `INSERT INTO calls (account_id, assistant_id, campaign_id, campaign_name, assistant_name, type, status, token,
         assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, ended_at,
         created_at)
       SELECT $1::int, CASE WHEN n = 0 THEN $2::int ELSE 1 END, CASE WHEN n = 0 THEN $3::int END,
         CASE WHEN n = 0 THEN 'Spring offer' END, 'Ada', CASE WHEN n = 0 THEN 'web' ELSE 'outbound' END,
         CASE WHEN n = 0 THEN 'failed' ELSE 'completed' END, gen_random_uuid()::text, '+14155550100',
         CASE WHEN n = 0 THEN $4 ELSE '+14155550101' END, '{}', 0, 600, now(),
         CASE WHEN n = 0 THEN '2020-02-29 23:59:59Z' ELSE now() END
       FROM generate_series(0, 16) AS n RETURNING id, campaign_id IS NOT NULL AS rare`,
      [user.id, assistant, campaign, CLIENT],
    );
    rare = rows.find((call) => call.rare)?.id ?? 0;
  });

  interface Page {
    total: number;
    per_page: number;
    current_page: number;
    data: { id: number }[];
  }
  const page = (query: string) => user.client.get<Page>(`/user/calls?${query}`);

  it.each<[row: string, query: () => string, field: string, wrong: [string, Text][]]>([
    ['call status', () => 'status=failed', 'status', [['lost', selected]]],
    ['call type', () => 'type=web', 'type', [['fax', selected]]],
    ['client phone number', () => 'phone_number=(415) 555-2680', 'phone_number', []],
    ['assistant', () => `assistant_id=${assistant}`, 'assistant_id', [['x', notInteger]]],
    ['campaign', () => `campaign_id=${campaign}`, 'campaign_id', [['x', notInteger]]],
    ['from date', () => 'date_from=2020-02-29&date_to=2020-12-31', 'date_from', [['2021-02-29', noDay]]],
    ['until date', () => 'date_to=2020-02-29', 'date_to', [['29.02.2020', noDay]]],
  ])('GET /user/calls: %s', async (_row, query, field, wrong) => {
    const { status, body } = await page(query());
    expect([status, body.total, body.data.map(({ id }) => id)]).toEqual([200, 1, [rare]]);
    for (const [value, text] of wrong) {
      const answer = await page(`${field}=${value}`);
      expect([answer.status, answer.body]).toEqual(invalid({ [field]: [text(field)] }));
    }
  });

  it('GET /user/calls: every status and type of a call is a filter', async () => {
    const answers = await Promise.all([
      ...STATUSES.map((status) => page(`status=${status}`)),
      ...['inbound', 'outbound', 'web'].map((type) => page(`type=${type}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + body.total, 0)).toBe(2 * 17);
  });

  it('GET /user/calls: page size', async () => {
    expect((await page('')).body).toMatchObject({ per_page: 15, total: 17, data: { length: 15 } });
    expect((await page('per_page=2')).body).toMatchObject({ per_page: 2, data: { length: 2 } });
    const { status, body } = await page('per_page=101');
    expect([status, body]).toEqual(invalid({ per_page: [outside(1, 100)('per_page')] }));
  });

  it('GET /user/calls: page', async () => {
    expect((await page('')).body.current_page).toBe(1);
    expect((await page('page=2')).body).toMatchObject({ current_page: 2, data: { length: 2 } });
    const { status, body } = await page('page=x');
    expect([status, body]).toEqual(invalid({ page: [notInteger('page')] }));
  });
});

describe('SMS', () => {
  const body = () => ({ from: user.phoneNumber.id, to: DELIVERED, body: 'Hello' });

  it.each<[field: string, given: unknown, shown: () => Fields, wrong: Wrong]>([
    ['from', undefined, () => ({ phone_number_id: user.phoneNumber.id }), [['x', notInteger]]],
    ['to', '(212) 456-7890', () => ({ to: '+12124567890' }), [[5, notText]]],
    ['body', 'See you.', () => ({ body: 'See you.' }), [['x'.repeat(301), tooLong(300)]]],
  ])('POST /user/sms: %s', async (field, given, shown, wrong) => {
    const answer = await user.client.post<Sent>('/user/sms', {
      ...body(),
      ...(given ? { [field]: given } : {}),
    });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { message: 'SMS sent successfully', data: shown() },
    ]);
    for (const [value, text] of [...wrong, [undefined, required] as const]) {
      const error = invalid({ [field]: [text(field)] });
      expect(await post('/user/sms', { ...body(), [field]: value })).toEqual(error);
    }
  });
});
