import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { called, spread, switchTo } from '../support/dialling.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;
const DAY = 24;

describe('calls of campaigns to one number', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  const get = async (id: number) =>
    (await user.client.get<{ data: TestLead }>(`/user/leads/${id}`)).body.data;
  const started = async (number: string, fields: Record<string, unknown> = {}) => {
    const campaign = await aCampaign(user, fields);
    const lead = await aLead(user, campaign, { phone_number: number });
    await switchTo(user, campaign, 'start');
    return lead.id;
  };
  /** Hours until a lead that has to wait is due. */
  const waitsFor = (id: number) =>
    until(async () => {
      const { rows } = await database().query<{ due: Date }>(
        `SELECT due_at AS due FROM leads WHERE id = $1 AND last_outcome = 'number_limit'`,
        [id],
      );
      return rows[0] ? (rows[0].due.getTime() - Date.now()) / HOUR_MS : null;
    });
  /** Not until the lead is settled, which also waits for the price and the evaluation of the call. */
  const isCalled = (id: number) =>
    until(async () => {
      const { rows } = await database().query(
        'SELECT 1 FROM calls WHERE lead_id = $1 AND ended_at IS NOT NULL',
        [id],
      );
      return rows.length > 0;
    });

  it('are at most three in 24 hours, over all campaigns, duplicates and calls by request', async () => {
    const number = aNumber();
    await called(user, number, [2], { campaignId: await aCampaign(user) });
    await called(user, number, [5]);
    const campaign = await aCampaign(user);
    const first = await aLead(user, campaign, { phone_number: number });
    await switchTo(user, campaign, 'start');
    await isCalled(first.id);
    const copy = await aLead(user, campaign, { phone_number: number, allow_dupplicate: true });
    expect(await waitsFor(copy.id)).toBeCloseTo(DAY - 5, 1);
    expect((await get(copy.id)).status).toBe('created');
  });

  it('are at most thirty in 30 days', async () => {
    const number = aNumber();
    await called(user, number, spread(30, 2 * DAY, 29 * DAY));
    expect(await waitsFor(await started(number))).toBeCloseTo(DAY, 1);
  });

  it('do not count calls that the carrier refuses, older calls, and calls of other accounts', async () => {
    const number = aNumber();
    await called(user, number, [1, 2, 3], { wasPlaced: false });
    await called(user, number, [1, 2, DAY + 1]);
    await called(user, number, spread(40, 31 * DAY, 60 * DAY));
    await called(await anAccount(), number, [1, 2, 3]);
    await isCalled(await started(number));
  });

  it('are not limited to numbers of the sandbox while it is the carrier', async () => {
    await called(user, BUSY, spread(40, 1, 20 * DAY));
    const id = await started(BUSY, { max_retries: 1 });
    await until(async () => (await get(id)).status === 'reached-max-retries');
  });

  it('are not exceeded for an appointment, which a suppression and a stop delay too', async () => {
    const [limited, suppressed] = [aNumber(), aNumber()];
    await called(user, limited, [1, 2, 3]);
    await user.client.post('/user/suppressions', { phone_number: suppressed });
    const [campaign, stopped] = [await aCampaign(user), await aCampaign(user)];
    // Where it is noon now: appointments are kept between 8 and 21.
    const offset = new Date().getUTCHours() - 12;
    const variables = { timezone: `Etc/GMT${offset < 0 ? '' : '+'}${offset}` };
    await switchTo(user, stopped, 'start');
    await switchTo(user, stopped, 'stop');
    const agreed = async (of: number, phone_number: string): Promise<number> => {
      const { id } = await aLead(user, of, { phone_number, variables });
      await database().query(`UPDATE leads SET status = 'scheduled', due_at = now() WHERE id = $1`, [id]);
      return id;
    };
    const [waiting, refused, called_, held] = [
      await agreed(campaign, limited),
      await agreed(campaign, suppressed),
      await agreed(campaign, aNumber()),
      await agreed(stopped, aNumber()),
    ];
    await switchTo(user, campaign, 'start');
    await isCalled(called_);
    expect(await waitsFor(waiting)).toBeCloseTo(DAY - 3, 1);
    expect(await get(waiting)).toMatchObject({ status: 'scheduled', attempts: 0 });
    expect(await get(refused)).toMatchObject({ status: 'blacklisted', last_outcome: 'suppressed' });
    expect(await get(held)).toMatchObject({ status: 'scheduled', attempts: 0 });
  });

  it('by request are not limited, unless the operator limits them', async () => {
    const number = aNumber();
    await called(user, number, [1, 2, 3]);
    const { status } = await user.client.post('/user/make_call', {
      assistant_id: await anAssistant(user),
      phone_number: number,
    });
    expect(status).toBe(200);
  });
});
