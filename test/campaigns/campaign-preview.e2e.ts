import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Row {
  id: number;
  status: string;
  phone_number: string;
  contact_id: number | null;
  attempts: number;
  would_be_dialled: boolean;
  reason: string | null;
  until: string | null;
}

interface Preview {
  campaign_id: number;
  status: string;
  reason: string | null;
  free_slots: number;
  next_call_at: string | null;
  leads: Row[];
}

/** Never answers. */
const NO_ANSWER = '+15005550004';
const day = (from: number): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    .format(Date.now() + from * 86_400_000)
    .toLowerCase();
const set = (id: number, columns: string) =>
  database().query(`UPDATE leads SET ${columns} WHERE id = $1`, [id]);

describe('the preview of a campaign', () => {
  let user: TestAccount;
  beforeAll(async () => {
    user = await anAccount();
  });

  const preview = async (campaign: number, query = ''): Promise<Preview> => {
    const { status, body } = await user.client.get<{ data: Preview }>(
      `/user/campaigns/${campaign}/preview${query}`,
    );
    expect(status).toBe(200);
    return body.data;
  };
  const switchTo = (campaign_id: number, action: 'start' | 'stop') =>
    user.client.post('/user/campaigns/update-status', { campaign_id, action });
  /** In progress, but not looked at by the dialler; leads that are added or changed later would wake it. */
  const pretendStarted = (campaign: number) =>
    database().query(`UPDATE campaigns SET status = 'in-progress', wake_at = 'infinity' WHERE id = $1`, [
      campaign,
    ]);
  const reasons = ({ leads }: Preview) => Object.fromEntries(leads.map(({ id, reason }) => [id, reason]));

  it('reports which leads would be called, retries first, and that the others wait for a slot', async () => {
    const id = await aCampaign(user, { max_calls_in_parallel: 2 });
    const leads = [];
    for (const number of ['+15005554101', '+15005554102', '+15005554103'])
      leads.push(await aLead(user, id, { phone_number: number }));
    const [first, second, retry] = leads.map((lead) => lead.id) as [number, number, number];
    await set(retry, `status = 'rescheduled', attempts = 1`);
    const draft = await preview(id);
    expect(draft).toMatchObject({
      status: 'draft',
      reason: 'not_in_progress',
      free_slots: 0,
      next_call_at: null,
    });
    expect(draft.leads.map(({ reason }) => reason)).toEqual(Array(3).fill('not_in_progress'));
    await pretendStarted(id);
    const { leads: shown, ...campaign } = await preview(id);
    expect(campaign).toEqual({
      campaign_id: id,
      status: 'in-progress',
      reason: null,
      free_slots: 2,
      next_call_at: expect.any(String),
    });
    expect(shown).toEqual([
      {
        id: retry,
        status: 'rescheduled',
        phone_number: '+15005554103',
        contact_id: null,
        attempts: 1,
        would_be_dialled: true,
        reason: null,
        until: null,
      },
      expect.objectContaining({ id: first, would_be_dialled: true }),
      expect.objectContaining({ id: second, would_be_dialled: false, reason: 'no_free_slot' }),
    ]);
    await switchTo(id, 'stop');
  });

  it('reports why and until when each of the others is not called', async () => {
    const id = await aCampaign(user, {
      timezone: 'UTC',
      windows: [{ days: [day(-1), day(0), day(1)], start: '00:00', end: '24:00' }],
      max_calls_in_parallel: 10,
      max_retries: 1,
    });
    const aLeadAt = async (number: string, fields = {}) =>
      (await aLead(user, id, { phone_number: number, ...fields })).id;
    const nowhere = await aLeadAt('+15005554201', { variables: { timezone: 'Nowhere/Land' } });
    const suppressed = await aLeadAt('+15005554202');
    await user.client.post('/user/suppressions', { phone_number: '+15005554202' });
    const later = await aLeadAt('+15005554203');
    await set(later, `status = 'rescheduled', due_at = now() + interval '2 hours'`);
    const premium = await aLeadAt('+19005550100');
    const exhausted = await aLeadAt('+15005554204');
    await set(exhausted, 'number_invalid = true');
    const twin = await aLeadAt('+15005554205');
    const same = (await aLead(user, id, { phone_number: '+15005554205', allow_dupplicate: true })).id;
    const contact = await aLeadAt('+15005554206', { secondary_contacts: [{ phone_number: '+15005554207' }] });
    await set(contact, 'number_invalid = true');
    const done = await aLeadAt('+15005554208');
    await user.client.put(`/user/leads/${done}`, { status: 'completed' });
    const limited = await aLeadAt('+14155550171');
    await database().query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration, carrier_sid)
       SELECT $1, 1, 'Ada', 'outbound', 'completed', gen_random_uuid()::text, '+15005550021', '+14155550171', '{}', 0,
              600, gen_random_uuid()::text FROM generate_series(1, 3)`,
      [user.id],
    );
    await pretendStarted(id);
    const shown = await preview(id);
    expect(reasons(shown)).toEqual({
      [nowhere]: 'no_timezone',
      [suppressed]: 'suppressed',
      [later]: 'due_later',
      [premium]: 'destination_not_allowed',
      [exhausted]: 'no_number_left',
      [twin]: null,
      [same]: 'in_call',
      [contact]: null,
      [limited]: 'number_limit',
    });
    const of = (lead: number) => shown.leads.find((row) => row.id === lead);
    expect(of(contact)).toMatchObject({
      phone_number: '+15005554207',
      contact_id: expect.any(Number),
      would_be_dialled: true,
    });
    const hoursUntil = (lead: number) =>
      (Date.parse(`${of(lead)?.until?.replace(' ', 'T')}Z`) - Date.now()) / 3_600_000;
    expect(hoursUntil(later)).toBeCloseTo(2, 1);
    expect(hoursUntil(limited)).toBeCloseTo(24, 1);
    expect(of(nowhere)?.until).toBeNull();

    const one = await preview(id, `?lead_id=${done}`);
    expect(one.leads).toMatchObject([{ id: done, status: 'completed', reason: 'not_queued' }]);
    const { contact_id } = of(contact) ?? {};
    expect((await preview(id, `?lead_id=${contact_id}`)).leads).toMatchObject([{ id: contact, contact_id }]);
    await switchTo(id, 'stop');
  });

  it('reports when a closed window opens, and changes nothing', async () => {
    const id = await aCampaign(user, {
      timezone: 'UTC',
      windows: [{ days: [day(3)], start: '09:30', end: '10:00' }],
    });
    const lead = await aLead(user, id, { phone_number: '+15005554301' });
    await pretendStarted(id);
    const rows = async () =>
      (await database().query(`SELECT xmin::text, * FROM leads WHERE campaign_id = $1`, [id])).rows;
    const before = await rows();
    const at = `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)} 09:30:00`;
    expect(await preview(id)).toMatchObject({
      next_call_at: at,
      leads: [{ id: lead.id, would_be_dialled: false, reason: 'window', until: at }],
    });
    expect(await rows()).toEqual(before);
    await switchTo(id, 'stop');
  });

  it('reports why the campaign itself places no call', async () => {
    const poor = await anAccount({ balance: 0 });
    const id = await aCampaign(poor);
    const lead = await aLead(poor, id, { phone_number: NO_ANSWER });
    await pretendStarted(id);
    const shown = async () =>
      (await poor.client.get<{ data: Preview }>(`/user/campaigns/${id}/preview`)).body.data;
    expect(await shown()).toMatchObject({
      reason: 'balance',
      free_slots: 0,
      next_call_at: null,
      leads: [{ id: lead.id, would_be_dialled: false, reason: 'balance' }],
    });
    await database().query(`UPDATE assistants SET status = 'inactive' WHERE account_id = $1`, [poor.id]);
    expect((await shown()).reason).toBe('assistant_inactive');
  });

  it('shows a lead that is being called, and that its campaign has no other slot', async () => {
    const id = await aCampaign(user, { max_calls_in_parallel: 1 });
    const called = await aLead(user, id, { phone_number: NO_ANSWER });
    const waiting = await aLead(user, id, { phone_number: '+15005554401' });
    await switchTo(id, 'start');
    const shown = await until(async () => {
      const now = await preview(id, `?lead_id=${called.id}`);
      return now.leads[0]?.status === 'processing' && now;
    });
    expect(shown).toMatchObject({ reason: 'no_free_slot', leads: [{ id: called.id, reason: 'in_call' }] });
    expect((await preview(id)).leads).toMatchObject([{ id: waiting.id, reason: 'no_free_slot' }]);
    await switchTo(id, 'stop');
  });

  it('has at most 100 leads, the ones that may be called first', async () => {
    const id = await aCampaign(user);
    await database().query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, zone, due_at)
       SELECT $1, $2, '+1500555' || lpad(n::text, 4, '0'), CASE WHEN n % 2 = 0 THEN '*' END,
              now() - n * interval '1 second' FROM generate_series(1, 300) n`,
      [user.id, id],
    );
    const { leads } = await preview(id);
    expect(leads).toHaveLength(100);
    const { rows } = await database().query<{ id: number }>(
      'SELECT id FROM leads WHERE campaign_id = $1 ORDER BY due_at LIMIT 100',
      [id],
    );
    expect(leads.map((lead) => lead.id)).toEqual(rows.map((row) => row.id));
  });

  it("finds no campaign and no lead of another account, needs the scope `read`, and checks the lead's id", async () => {
    const stranger = await anAccount();
    const id = await aCampaign(stranger);
    const lead = await aLead(stranger, id);
    const { status, text } = await user.client.get(`/user/campaigns/${id}/preview`);
    expect([status, text]).toEqual([404, '{"message":"Campaign not found."}']);
    const own = await aCampaign(user);
    expect((await preview(own, `?lead_id=${lead.id}`)).leads).toEqual([]);
    expect((await user.client.get(`/user/campaigns/${own}/preview?lead_id=x`)).status).toBe(422);
    const { client } = await anApiKey(user, { scopes: ['write'] });
    expect((await client.get(`/user/campaigns/${own}/preview`)).status).toBe(403);
  });
});
