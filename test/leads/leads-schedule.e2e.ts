import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { database } from '../support/database.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');

const MESSAGE = { message: 'Lead schedule updated successfully' };
const refusal = (text: string) => ({
  status: 422,
  body: { message: 'The given data was invalid.', errors: { scheduled_at: [text] } },
});

describe('POST /user/leads/{id}/schedule', () => {
  let user: TestAccount;
  let campaign: number;

  beforeAll(async () => {
    user = await anAccount();
    campaign = await aCampaign(user);
  });

  const schedule = (id: number | string, scheduled_at: unknown, by = user) =>
    by.client.post(`/user/leads/${id}/schedule`, { scheduled_at });

  const stored = async (id: number) => {
    const { rows } = await database().query<{ status: string; due: string; attempts: number }>(
      `SELECT status, attempts, to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS due
         FROM leads WHERE id = $1`,
      [id],
    );
    return rows[0];
  };

  it("schedules the lead's call, with the attempts of a new one, and null cancels it", async () => {
    const { id } = await aLead(user, campaign);
    await database().query("UPDATE leads SET status = 'reached-max-retries', attempts = 3 WHERE id = $1", [
      id,
    ]);
    const [first, second] = [inDays(1), inDays(89.9)];
    expect(await schedule(id, first)).toMatchObject({ status: 200, body: MESSAGE });
    expect(await stored(id)).toEqual({ status: 'scheduled', due: first, attempts: 0 });
    expect(await schedule(id, second)).toMatchObject({ status: 200 });
    expect(await stored(id)).toMatchObject({ status: 'scheduled', due: second });
    const { body } = await user.client.get<{ data: { status: string } }>(`/user/leads/${id}`);
    expect(body.data.status).toBe('scheduled');

    expect(await schedule(id, null)).toMatchObject({ status: 200, body: MESSAGE });
    expect(await stored(id)).toMatchObject({ status: 'reached-max-retries' });
    // Without an appointment there is nothing to take back.
    expect(await schedule(id, null)).toMatchObject({ status: 200 });
    expect(await stored(id)).toMatchObject({ status: 'reached-max-retries' });
  });

  it('schedules the main lead of a contact', async () => {
    const secondary_contacts = [{ phone_number: aNumber() }];
    const lead = await aLead(user, campaign, { secondary_contacts });
    const [contact] = lead.secondary_contacts;
    await database().query('UPDATE leads SET attempts = 3 WHERE id = $1 OR main_lead_id = $1', [lead.id]);
    const at = inDays(2);
    expect(await schedule(contact?.id ?? 0, at)).toMatchObject({ status: 200 });
    expect(await stored(lead.id)).toEqual({ status: 'scheduled', due: at, attempts: 3 });
    expect(await stored(contact?.id ?? 0)).toMatchObject({ status: 'created', attempts: 0 });
    expect(await schedule(contact?.id ?? 0, null)).toMatchObject({ status: 200 });
    expect(await stored(lead.id)).toMatchObject({ status: 'created' });
  });

  it('refuses times in the past, too far ahead or none at all', async () => {
    const { id } = await aLead(user, campaign);
    expect(await schedule(id, inDays(-0.01))).toMatchObject(
      refusal('The scheduled at field must be a date in the future.'),
    );
    expect(await schedule(id, inDays(90.1))).toMatchObject(
      refusal('The scheduled at field must be at most 90 days ahead.'),
    );
    for (const wrong of ['tomorrow', '2026-02-30 10:00:00', 5, true, {}, '']) {
      expect(await schedule(id, wrong)).toMatchObject({
        status: 422,
        body: { errors: { scheduled_at: [expect.any(String)] } },
      });
    }
    expect(await user.client.post(`/user/leads/${id}/schedule`, {})).toMatchObject(
      refusal('The scheduled at field is required.'),
    );
    expect(await stored(id)).toMatchObject({ status: 'created' });
  });

  it('finds no lead of another account, with any time', async () => {
    const { id } = await aLead(user, campaign);
    const other = await anAccount();
    for (const time of [inDays(1), inDays(-1), null]) {
      const answer = await schedule(id, time, other);
      expect(answer).toMatchObject({ status: 404, body: { message: 'Lead not found' } });
    }
    expect(await stored(id)).toMatchObject({ status: 'created' });
  });
});
