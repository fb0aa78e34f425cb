import { get as httpGet } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { baseUrl } from '../support/client.js';
import { database } from '../support/database.js';

interface LeadPage {
  data: TestLead[];
  total: number;
  per_page: number;
  current_page: number;
  last_page: number;
  next_page_url: string | null;
}

describe('listing leads', () => {
  let one: TestAccount;
  let other: TestAccount;
  let spring: number;
  let summer: number;
  let leads: TestLead[];

  const all = async (query = ''): Promise<TestLead[]> => {
    const { status, body } = await one.client.get<TestLead[]>(`/user/leads${query}`);
    expect(status).toBe(200);
    return body;
  };
  const page = async (query: string): Promise<LeadPage> =>
    (await one.client.get<LeadPage>(`/user/leads?${query}`)).body;
  const ids = (list: TestLead[]): number[] => list.map(({ id }) => id);

  beforeAll(async () => {
    [one, other] = await Promise.all([anAccount(), anAccount()]);
    spring = await aCampaign(one);
    summer = await aCampaign(one, { name: 'Summer "offer" ä' });
    const created = [];
    for (let index = 0; index < 20; index++) {
      const secondary_contacts = index % 5 === 0 ? [{ phone_number: aNumber(), variables: { index } }] : [];
      created.push(
        await aLead(one, index < 12 ? spring : summer, {
          secondary_contacts,
          variables: { index, text: 'Zoë "Z" \\ \n' },
        }),
      );
    }
    leads = created.reverse();
    await one.client.put(`/user/leads/${leads[3]?.id}`, { status: 'completed' });
    leads[3] = (await one.client.get<{ data: TestLead }>(`/user/leads/${leads[3]?.id}`)).body.data;
    await aLead(other, await aCampaign(other));
  });

  it('returns an array of main leads with campaign and contacts, newest first', async () => {
    expect(await all()).toEqual(leads);
  });

  it('returns an empty array for an account without leads', async () => {
    const { status, text, headers } = await (await anAccount()).client.get('/user/leads');
    expect([status, text]).toEqual([200, '[]']);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('returns the envelope when page or page size is given', async () => {
    const first = await page('per_page=8');
    expect(first).toMatchObject({
      total: 20,
      per_page: 8,
      current_page: 1,
      last_page: 3,
      data: leads.slice(0, 8),
    });
    expect(first.next_page_url).toMatch(/\/api\/user\/leads\?per_page=8&page=2$/);
    expect(await page('page=2')).toMatchObject({ total: 20, per_page: 15, data: leads.slice(15) });
    expect(await page('page=9')).toMatchObject({ total: 20, data: [] });
  });

  it.each(['', 'per_page=100&'])('filters (%s)', async (form) => {
    const found = async (query: string): Promise<number[]> =>
      ids(form ? (await page(form + query)).data : await all(`?${query}`));
    const [lead] = leads;
    const number = lead?.phone_number ?? '';
    expect(await found('status=completed')).toEqual([leads[3]?.id]);
    expect(await found(`campaign_id=${spring}`)).toEqual(ids(leads.slice(8)));
    expect(await found(`campaign_id=${summer}&status=created`)).toEqual(
      ids(leads.slice(0, 8)).filter((id) => id !== leads[3]?.id),
    );
    for (const written of [encodeURIComponent(number), number, number.slice(2)]) {
      expect([written, await found(`phone_number=${written}`)]).toEqual([written, [lead?.id]]);
    }
    expect(await found('phone_number=nobody')).toEqual([]);
    expect(await found(`campaign_id=${await aCampaign(other)}`)).toEqual([]);
  });

  it.each([
    ['status=done', { status: ['The selected status is invalid.'] }],
    ['campaign_id=x', { campaign_id: ['The campaign id field must be an integer.'] }],
    ['page=0', { page: ['The page field must be between 1 and 1000000.'] }],
    ['per_page=101', { per_page: ['The per page field must be between 1 and 100.'] }],
  ])('refuses %s', async (query, errors) => {
    const { status, body } = await one.client.get(`/user/leads?${query}`);
    expect([status, body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });

  it('streams small and large leads of one moment in their order', async () => {
    const mixed = await anAccount();
    await database().query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, variables)
       SELECT $1, $2, '+1203' || lpad(n::text, 7, '0'),
              jsonb_build_object('text', repeat('é', CASE WHEN n % 40 < 3 THEN 150000 ELSE n % 7 END))
         FROM generate_series(1, 700) n`,
      [mixed.id, await aCampaign(mixed)],
    );
    const { rows } = await database().query<{ id: number }>(
      'SELECT id FROM leads WHERE account_id = $1 ORDER BY created_at DESC, id DESC',
      [mixed.id],
    );
    const { body } = await mixed.client.get<TestLead[]>('/user/leads');
    expect(ids(body)).toEqual(ids(rows as TestLead[]));
  });

  describe('a list of 20,000 leads', () => {
    let many: TestAccount;

    const open = async (): Promise<void> => {
      await new Promise<void>((resolve, reject) => {
        const request = httpGet(`${baseUrl()}/api/user/leads`, {
          headers: { authorization: `Bearer ${many.token}` },
        });
        request.once('error', reject);
        request.once('response', (response) => {
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        });
      });
    };

    beforeAll(async () => {
      many = await anAccount();
      await database().query(
        `INSERT INTO leads (account_id, campaign_id, phone_number, variables)
         SELECT $1, $2, '+1202' || lpad(n::text, 7, '0'), jsonb_build_object('text', repeat('x', 300))
           FROM generate_series(1, 20000) n`,
        [many.id, await aCampaign(many)],
      );
    });

    it('is streamed completely', async () => {
      const { text } = await many.client.get('/user/leads');
      expect((JSON.parse(text) as TestLead[]).length).toBe(20_000);
    });

    it('is not read further when the client disconnects', async () => {
      for (let times = 0; times < 12; times++) await open();
      const { status, text } = await many.client.get('/user/leads');
      expect([status, (JSON.parse(text) as TestLead[]).length]).toEqual([200, 20_000]);
    });
  });
});
