import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber, type TestLead } from '../factories/lead.js';
import { Carrier } from '../support/carrier.js';
import { database } from '../support/database.js';
import { asleep, CLOSED, isDialled, switchTo } from '../support/dialling.js';
import { until } from '../support/until.js';

describe('the time zones of leads', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  it('are written with the leads: a campaign with closed windows is idle without a write to them', async () => {
    const id = await aCampaign(user, { ...CLOSED });
    const lead = await aLead(user, id, {
      phone_number: '+12125550143',
      secondary_contacts: [{ phone_number: aNumber() }],
    });
    await aLead(user, id, { phone_number: '+493012345678', variables: { timezone: 'Asia/Tokyo' } });
    await aLead(user, id, { phone_number: aNumber(), variables: { timezone: 'Nowhere/Land' } });
    const data = new FormData();
    const lines = Array.from({ length: 600 }, (_, line) => `+1415555${String(line).padStart(4, '0')}`);
    data.append('file', new Blob([['phone_number', ...lines].join('\n')], { type: 'text/csv' }), 'leads.csv');
    data.append('campaign_id', String(id));
    expect((await user.client.send('POST', '/user/leads/import', data)).status).toBe(200);
    const rows = async () =>
      (
        await database().query<{
          id: number;
          phone_number: string;
          zone: string | null;
          outcome: string | null;
        }>(
          `SELECT id, phone_number, zone, last_outcome AS outcome, xmin::text FROM leads WHERE campaign_id = $1 ORDER BY id`,
          [id],
        )
      ).rows;
    const before = await rows();
    expect(before.slice(0, 5)).toMatchObject([
      { id: lead.id, zone: 'America/New_York@US', outcome: null },
      // A contact's zone is that of its main lead, when it is dialled next.
      { zone: null },
      { zone: 'Asia/Tokyo@DE' },
      { zone: '', outcome: 'no_timezone' },
      { zone: 'America/Los_Angeles@US' },
    ]);
    await switchTo(user, id, 'start');
    await asleep(id);
    expect(await rows()).toEqual(before);
    await switchTo(user, id, 'stop');
  });

  const zoneOf = async (id: number | undefined) =>
    (
      await database().query<{ zone: string | null; outcome: string | null }>(
        'SELECT zone, last_outcome AS outcome FROM leads WHERE id = $1',
        [id],
      )
    ).rows[0];
  const put = (id: number | undefined, fields: object) => user.client.put(`/user/leads/${id}`, fields);
  const inZone = (timezone: string | null) => ({ variables: { timezone } });

  it('are written when a number or the variable `timezone` changes, of a lead or of its next contact', async () => {
    const campaign = await aCampaign(user, { max_retries: 1 });
    const { id, secondary_contacts } = await aLead(user, campaign, {
      phone_number: '+12125550144',
      secondary_contacts: [{ phone_number: '+493012345679' }],
    });
    const contact = secondary_contacts[0]?.id;
    const changes: [fields: object, zone: string, ofContact?: boolean][] = [
      [{ phone_number: '+81312345678' }, 'Asia/Tokyo@JP'],
      [inZone('Europe/Paris'), 'Europe/Paris@JP'],
      [{ phone_number: '+12125550144', ...inZone(null) }, 'America/New_York@US'],
      // Not the number that is dialled next.
      [inZone('Asia/Tokyo'), 'America/New_York@US', true],
    ];
    for (const [fields, zone, ofContact = false] of changes) {
      expect((await put(ofContact ? contact : id, fields)).status).toBe(200);
      expect(await zoneOf(id)).toEqual({ zone, outcome: null });
    }
    await database().query('UPDATE leads SET attempts = 1, zone = NULL WHERE id = $1', [id]);
    await put(contact, inZone('Europe/Rome'));
    expect(await zoneOf(id)).toMatchObject({ zone: 'Europe/Rome@DE' });
    await put(id, { status: 'completed' });
    await put(id, { status: 'created' });
    expect(await zoneOf(id)).toMatchObject({ zone: 'America/New_York@US' });
  });

  it('report in `last_outcome` that none is known, until one is', async () => {
    const { id } = await aLead(user, await aCampaign(user));
    await put(id, inZone('Nowhere/Land'));
    expect(await zoneOf(id)).toEqual({ zone: '', outcome: 'no_timezone' });
    await put(id, inZone('Asia/Tokyo'));
    expect(await zoneOf(id)).toEqual({ zone: 'Asia/Tokyo@US', outcome: null });
  });

  it('are written with appointments, and keep the minute that the person named', async () => {
    const { id, secondary_contacts } = await aLead(user, await aCampaign(user), {
      phone_number: '+12125550145',
      secondary_contacts: [{ phone_number: '+493012345679' }],
    });
    const schedule = (of: number | undefined, scheduled_at: string | null) =>
      user.client.post(`/user/leads/${of}/schedule`, { scheduled_at });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    for (const at of [tomorrow, null]) {
      await database().query('UPDATE leads SET zone = NULL WHERE id = $1', [id]);
      expect((await schedule(secondary_contacts[0]?.id, at)).status).toBe(200);
      expect(await zoneOf(id)).toMatchObject({ zone: 'America/New_York@US' });
    }
    await schedule(id, tomorrow);
    await database().query(`UPDATE leads SET zone = zone || '!1900000000' WHERE id = $1`, [id]);
    await put(id, inZone('Asia/Tokyo'));
    expect(await zoneOf(id)).toMatchObject({ zone: 'Asia/Tokyo@US!1900000000' });
    await schedule(id, tomorrow);
    expect(await zoneOf(id)).toMatchObject({ zone: 'Asia/Tokyo@US' });
  });

  it('are those of the next contact when the call before ends', async () => {
    const assistant_id = await anAssistant(user, { ringing_time: 60 });
    const campaign = await aCampaign(user, { assistant_id, max_retries: 1 });
    const lead = await aLead(user, campaign, {
      phone_number: '+15005550004',
      secondary_contacts: [{ phone_number: '+15005550020', variables: { timezone: 'Asia/Tokyo' } }],
    });
    const status = async () =>
      (await user.client.get<{ data: TestLead }>(`/user/leads/${lead.id}`)).body.data.status;
    await switchTo(user, campaign, 'start');
    await until(async () => (await status()) === 'processing');
    await switchTo(user, campaign, 'stop');
    const { rows } = await database().query<{ id: number }>('SELECT id FROM calls WHERE lead_id = $1', [
      lead.id,
    ]);
    await Carrier.shared().ringsOut(rows[0]?.id ?? 0);
    await until(async () => (await status()) === 'rescheduled');
    expect(await zoneOf(lead.id)).toEqual({ zone: 'Asia/Tokyo', outcome: 'no-answer' });
  });

  it('keep appointments to 8 to 21, but for a minute that the person named on a call', async () => {
    const id = await aCampaign(user, { retry_interval: 240 });
    // Where it is three in the night now.
    const offset = ((new Date().getUTCHours() + 24 - 3 + 12) % 24) - 12;
    const zone = `Etc/GMT${offset < 0 ? '' : '+'}${offset}`;
    const night = { variables: { timezone: zone } };
    const named = await aLead(user, id, { phone_number: BUSY, ...night });
    const missed = await aLead(user, id, { phone_number: '+15005553103', ...night });
    const asked = await aLead(user, id, { phone_number: '+15005553203', ...night });
    const schedule = (lead: number, minutes: number, isNamed: boolean) =>
      database().query(
        `UPDATE leads SET status = 'scheduled', due_at = now() - make_interval(mins => $2), zone = $3 || CASE WHEN $4
                THEN '!' || extract(epoch FROM now() - make_interval(mins => $2))::bigint ELSE '' END WHERE id = $1`,
        [lead, minutes, zone, isNamed],
      );
    await schedule(named.id, 0, true);
    await schedule(missed.id, 20, true);
    await schedule(asked.id, 0, false);
    await switchTo(user, id, 'start');
    await isDialled(named.id);
    await asleep(id);
    const { rows } = await database().query('SELECT lead_id FROM calls WHERE campaign_id = $1', [id]);
    expect(rows).toEqual([{ lead_id: named.id }]);
    await switchTo(user, id, 'stop');
  });
});
