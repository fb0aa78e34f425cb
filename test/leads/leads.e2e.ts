import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { Client } from '../support/client.js';

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const NOT_FOUND = [404, { message: 'Lead not found' }];
const invalid = (errors: Record<string, string[]>) => [
  422,
  { message: 'The given data was invalid.', errors },
];
const DUPLICATE = invalid({ phone_number: ['The phone number already exists in this campaign.'] });
const REPEATED = 'The phone number field must differ from the main lead and from the other contacts.';

describe('leads', () => {
  let one: TestAccount;
  let other: TestAccount;
  let campaign: number;
  let foreignCampaign: number;

  const create = async (fields: Record<string, unknown>): Promise<[number, unknown]> => {
    const body = { phone_number: aNumber(), campaign_id: campaign, ...fields };
    const answer = await one.client.post('/user/lead', body);
    return [answer.status, answer.body];
  };
  const get = async (id: number): Promise<TestLead> =>
    (await one.client.get<{ data: TestLead }>(`/user/leads/${id}`)).body.data;

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    [campaign, foreignCampaign] = await Promise.all([aCampaign(one), aCampaign(other)]);
  });

  it('creates a lead with its contacts and returns it', async () => {
    const [main, first, second] = [aNumber(), aNumber(), aNumber()];
    const { status, body } = await one.client.post<{ message: string; data: TestLead }>('/user/lead', {
      phone_number: main,
      campaign_id: campaign,
      variables: { customer_name: 'Ada' },
      secondary_contacts: [
        { phone_number: first, variables: { customer_name: 'Grace' } },
        { phone_number: second },
      ],
    });
    const common = {
      id: expect.any(Number),
      status: 'created',
      attempts: 0,
      next_attempt_at: null,
      last_outcome: null,
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
    };
    expect([status, body]).toEqual([
      200,
      {
        message: 'Lead created successfully',
        data: {
          ...common,
          campaign_id: campaign,
          phone_number: main,
          variables: { customer_name: 'Ada' },
          campaign: { id: campaign, name: 'Spring offer' },
          secondary_contacts: [
            { ...common, phone_number: first, variables: { customer_name: 'Grace' } },
            { ...common, phone_number: second, variables: {} },
          ],
        },
      },
    ]);
    expect(await get(body.data.id)).toEqual(body.data);
  });

  it('returns the time of creation in UTC', async () => {
    const before = Date.now();
    const { created_at } = await aLead(one, campaign);
    const created = Date.parse(`${created_at.replace(' ', 'T')}Z`);
    // It has whole seconds.
    expect(created).toBeGreaterThan(before - 1_000);
    expect(created).toBeLessThanOrEqual(Date.now());
  });

  it('formats numbers to E.164, national ones in the country of the account', async () => {
    const german = await anAccount({ country: 'DE' });
    const lead = await aLead(german, await aCampaign(german), {
      phone_number: '030 / 901820',
      secondary_contacts: [{ phone_number: '+1 (415) 555-0199' }],
    });
    expect([lead.phone_number, lead.secondary_contacts[0]?.phone_number]).toEqual([
      '+4930901820',
      '+14155550199',
    ]);
  });

  it('returns an error for every invalid field', async () => {
    const wrong = {
      phone_number: 'call me',
      campaign_id: 2_147_483_000,
      secondary_contacts: [{ phone_number: '12' }],
    };
    expect(await create(wrong)).toEqual(
      invalid({
        phone_number: ['The phone number field must be a valid phone number.'],
        'secondary_contacts.0.phone_number': ['The phone number field must be a valid phone number.'],
        campaign_id: ['The selected campaign id is invalid.'],
      }),
    );
    expect(await create({ phone_number: undefined, campaign_id: undefined })).toEqual(
      invalid({
        phone_number: ['The phone number field is required.'],
        campaign_id: ['The campaign id field is required.'],
      }),
    );
  });

  it('returns the same error for a foreign and a missing campaign', async () => {
    const missing = await create({ campaign_id: 2_147_483_000 });
    expect(await create({ campaign_id: foreignCampaign })).toEqual(missing);
    expect(missing).toEqual(invalid({ campaign_id: ['The selected campaign id is invalid.'] }));
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'keeps the variable %s',
    async (key) => {
      const lead = await aLead(one, campaign, { variables: { [key]: 'as given', nested: { [key]: 1 } } });
      expect(JSON.stringify(lead.variables)).toBe(
        JSON.stringify({ nested: { [key]: 1 }, [key]: 'as given' }),
      );
      await one.client.put(`/user/leads/${lead.id}`, { variables: { [key]: 'changed' } });
      expect(Object.entries((await get(lead.id)).variables)).toContainEqual([key, 'changed']);
    },
  );

  it('refuses the variable __proto__', async () => {
    const body = `{"phone_number":"${aNumber()}","campaign_id":${campaign},"variables":{"__proto__":1}}`;
    const answer = await one.client.send('POST', '/user/lead', body);
    expect([answer.status, answer.body]).toEqual(
      invalid({ variables: ['The variables field must not have a key named __proto__.'] }),
    );
  });

  describe('duplicates', () => {
    it('refuses a number that exists in the campaign, but not one of another campaign', async () => {
      const { phone_number } = await aLead(one, campaign);
      expect(await create({ phone_number })).toEqual(DUPLICATE);
      expect((await create({ phone_number, campaign_id: await aCampaign(one) }))[0]).toBe(200);
      expect((await aLead(other, foreignCampaign, { phone_number })).phone_number).toBe(phone_number);
    });

    it('accepts exactly one of 200 concurrent requests', async () => {
      const phone_number = aNumber();
      const answers = await Promise.all(Array.from({ length: 200 }, () => create({ phone_number })));
      expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(([status]) => status !== 200)) expect(answer).toEqual(DUPLICATE);
    });

    it('accepts any number of them when they are allowed, also concurrently', async () => {
      const phone_number = aNumber();
      const copies = Array.from({ length: 20 }, () => create({ phone_number, allow_dupplicate: true }));
      expect((await Promise.all(copies)).map(([status]) => status)).toEqual(Array(20).fill(200));
      expect(await create({ phone_number })).toEqual(DUPLICATE);
    });

    it('requires contacts to differ from the main lead and from each other, unless duplicates are allowed', async () => {
      const [main, contact] = [aNumber(), aNumber()];
      const secondary_contacts = [main, contact, contact].map((phone_number) => ({ phone_number }));
      expect(await create({ phone_number: main, secondary_contacts })).toEqual(
        invalid({
          'secondary_contacts.0.phone_number': [REPEATED],
          'secondary_contacts.2.phone_number': [REPEATED],
        }),
      );
      expect((await create({ phone_number: main, secondary_contacts, allow_dupplicate: 1 }))[0]).toBe(200);
    });

    it('still refuses the number after the first of several is deleted, moved or renumbered', async () => {
      for (const leave of ['delete', 'campaign_id', 'phone_number'] as const) {
        const phone_number = aNumber();
        const first = await aLead(one, campaign, { phone_number });
        const copy = await aLead(one, campaign, { phone_number, allow_dupplicate: true });
        if (leave === 'delete') await one.client.delete(`/user/leads/${first.id}`);
        if (leave === 'campaign_id')
          await one.client.put(`/user/leads/${first.id}`, { campaign_id: await aCampaign(one) });
        if (leave === 'phone_number')
          await one.client.put(`/user/leads/${first.id}`, { phone_number: aNumber() });
        expect([leave, await create({ phone_number })]).toEqual([leave, DUPLICATE]);
        await one.client.delete(`/user/leads/${copy.id}`);
        expect([leave, (await create({ phone_number }))[0]]).toEqual([leave, 200]);
      }
    });
  });

  it('deletes a lead with its contacts, and a contact alone', async () => {
    const secondary_contacts = [{ phone_number: aNumber() }, { phone_number: aNumber() }];
    const lead = await aLead(one, campaign, { secondary_contacts });
    const [first, second] = lead.secondary_contacts;
    const deleted = await one.client.delete(`/user/leads/${first?.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Lead deleted successfully' }]);
    expect((await get(lead.id)).secondary_contacts).toEqual([second]);
    expect((await get(second?.id ?? 0)).secondary_contacts).toEqual([]);
    await one.client.delete(`/user/leads/${lead.id}`);
    for (const id of [lead.id, second?.id]) {
      const answer = await one.client.get(`/user/leads/${id}`);
      expect([answer.status, answer.body]).toEqual(NOT_FOUND);
    }
  });

  it("returns 404 for other users' leads", async () => {
    const { id } = await aLead(one, campaign);
    for (const answer of [
      await other.client.get(`/user/leads/${id}`),
      await other.client.put(`/user/leads/${id}`, { campaign_id: foreignCampaign }),
      await other.client.put(`/user/leads/${id}`, { variables: { mine: 1 } }),
      await other.client.delete(`/user/leads/${id}`),
    ]) {
      expect([answer.status, answer.body]).toEqual(NOT_FOUND);
    }
    expect((await new Client(null).get(`/user/leads/${id}`)).status).toBe(401);
    expect((await get(id)).variables).toEqual({});
  });
});
