import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount, type TestAccount } from '../factories/account.js';
import { assistantBody } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { database } from '../support/database.js';

const reached = (limit: number, things: string) => [
  422,
  {
    message: `You have reached your plan limit of ${limit} ${things}. Please upgrade your plan to create more.`,
  },
];
const FULL = reached(5, 'leads per campaign');

async function aPlan(assistants: number, leads: number): Promise<string> {
  const name = `limits-${randomBytes(6).toString('hex')}`;
  await database().query(
    `INSERT INTO plans (name, max_tools, max_campaigns, max_parallel_calls, price_per_minute_micros,
       max_assistants, max_leads_per_campaign) VALUES ($1, 5, 5, 2, 0, $2, $3)`,
    [name, assistants, leads],
  );
  return name;
}

describe('limits of a plan', () => {
  let user: TestAccount;
  let campaign_id: number;

  const create = async (path: string, body: object, { client } = user) => {
    const answer = await client.post(path, body);
    return [answer.status, answer.body];
  };
  const addLead = (fields: object = {}) =>
    create('/user/lead', { phone_number: aNumber(), campaign_id, ...fields });
  const fill = async (): Promise<number> => {
    const campaign = await aCampaign(user, { assistant_id });
    for (let lead = 0; lead < 5; lead++) await aLead(user, campaign);
    return campaign;
  };
  let assistant_id: number;

  beforeAll(async () => {
    user = await anAccount({ plan: await aPlan(3, 5) });
    const answer = await user.client.post<{ data: { id: number } }>('/user/assistant', assistantBody());
    assistant_id = answer.body.data.id;
    campaign_id = await fill();
  });

  it('assistants: enforces the limit, also for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create('/user/assistant', assistantBody())),
    );
    expect(answers.filter(([status]) => status === 201)).toHaveLength(2);
    expect(answers.filter(([status]) => status !== 201)).toEqual(Array(8).fill(reached(3, 'assistants')));
    expect(await create('/user/assistant', {})).toMatchObject([422, { message: 'Validation failed' }]);
    const [newest] = (await user.client.get<{ id: number }[]>('/user/assistants')).body;
    await user.client.delete(`/user/assistant/${newest?.id}`);
    expect(await create('/user/assistant', assistantBody())).toMatchObject([201, {}]);
  });

  it('an account above a limit keeps what it has and can change it', async () => {
    const above = await anAccount({ plan: await aPlan(3, 5) });
    const campaign = await aCampaign(above);
    const lead = await aLead(above, campaign);
    await aLead(above, campaign);
    await database().query(
      'UPDATE accounts SET plan_id = (SELECT id FROM plans WHERE name = $2) WHERE id = $1',
      [above.id, await aPlan(1, 1)],
    );
    expect((await above.client.get<object[]>('/user/leads')).body).toHaveLength(2);
    const changed = await above.client.put(`/user/leads/${lead.id}`, {
      campaign_id: campaign,
      status: 'completed',
    });
    expect(changed.status).toBe(200);
    const refused = await above.client.post('/user/lead', { phone_number: aNumber(), campaign_id: campaign });
    expect([refused.status, refused.body]).toEqual(reached(1, 'leads per campaign'));
  });

  it('leads: counts main leads per campaign', async () => {
    expect(await addLead()).toEqual(FULL);
    expect(await addLead({ allow_dupplicate: true })).toEqual(FULL);
    const other = await aCampaign(user, { assistant_id });
    const contacts = Array.from({ length: 9 }, () => ({ phone_number: aNumber() }));
    const lead = await aLead(user, other, { secondary_contacts: contacts });
    const moved = await user.client.put(`/user/leads/${lead.id}`, { campaign_id });
    expect([moved.status, moved.body]).toEqual(FULL);
    const [oldest] = (await user.client.get<{ id: number }[]>(`/user/leads?campaign_id=${campaign_id}`)).body;
    await user.client.delete(`/user/leads/${oldest?.id}`);
    expect((await user.client.put(`/user/leads/${lead.id}`, { campaign_id })).status).toBe(200);
    expect(await addLead()).toEqual(FULL);
    expect(await addLead({ campaign_id: other })).toMatchObject([200, {}]);
  });

  it('leads: concurrent requests exceed the limit by at most their number', async () => {
    const other = await aCampaign(user, { assistant_id });
    const asked = Array.from({ length: 40 }, () => addLead({ campaign_id: other }));
    const done = (await Promise.all(asked)).filter(([status]) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(5);
    expect(await addLead({ campaign_id: other })).toEqual(FULL);
  });

  it('an import stops at the limit and reports the lines above it', async () => {
    const other = await aCampaign(user, { assistant_id });
    const known = (await aLead(user, other)).phone_number;
    const numbers = [aNumber(), known, aNumber(), aNumber()];
    const form = (lines: string[], isDryRun: boolean): FormData => {
      const data = new FormData();
      data.append('file', new Blob([['phone_number', ...lines].join('\n')]), 'leads.csv');
      data.append('campaign_id', String(other));
      data.append('dry_run', isDryRun ? '1' : '0');
      return data;
    };
    const send = async (lines: string[], isDryRun = false) =>
      (await user.client.send<{ data: object }>('POST', '/user/leads/import', form(lines, isDryRun))).body
        .data;
    expect(await send(numbers)).toEqual({ imported: 3, duplicates: 1, invalid: 0, errors: [] });
    const message = (FULL[1] as { message: string }).message;
    const tooMany = [aNumber(), aNumber(), aNumber()];
    for (const isDryRun of [true, false]) {
      expect(await send(tooMany, isDryRun)).toEqual({
        imported: 1,
        duplicates: 0,
        invalid: 2,
        errors: [3, 4].map((line) => ({ line, field: 'campaign_id', message })),
      });
    }
    expect(await send(Array.from({ length: 7 }, () => ''))).toEqual({
      imported: 0,
      duplicates: 0,
      invalid: 0,
      errors: [],
    });
    const long = await send(Array.from({ length: 7 }, () => 'x'));
    expect(long).toMatchObject({
      invalid: 6,
      errors: expect.arrayContaining([
        { line: 7, field: 'file', message: 'The file has more than 5 lines; nothing was read from here on.' },
      ]),
    });
  });
});
