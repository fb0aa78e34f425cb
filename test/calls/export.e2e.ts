import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database } from '../support/database.js';

type Line = Record<string, string>;

let mine: TestAccount;
let other: TestAccount;
let assistant: number;
let campaign: number;

/** A call record; `at` counts seconds. */
async function aCallRecord(at: number, more: Record<string, unknown> = {}): Promise<number> {
  const call = {
    account_id: mine.id,
    assistant_id: assistant,
    assistant_name: 'Ada',
    type: 'outbound',
    status: 'completed',
    token: `export-${mine.id}-${at}`,
    assistant_phone_number: '+14155550100',
    client_phone_number: '+15005550020',
    variables: '{}',
    price_per_minute_micros: 0,
    max_duration: 600,
    created_at: new Date(Date.UTC(2026, 0, 31, 9, 0, at)),
    ...more,
  };
  const names = Object.keys(call);
  const { rows } = await database().query<{ id: number }>(
    `INSERT INTO calls (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
     RETURNING id`,
    Object.values(call),
  );
  return rows[0]?.id ?? 0;
}

async function download(path: string, account = mine): Promise<Line[]> {
  const { status, text, headers } = await account.client.get(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.csv"$/);
  return parse(text, { columns: true });
}

const ids = (lines: Line[]) => lines.map(({ id }) => Number(id));

beforeAll(async () => {
  [mine, other] = await Promise.all([anAccount(), anAccount()]);
  assistant = await anAssistant(mine);
  campaign = await aCampaign(mine, { assistant_id: assistant });
});

describe('the export of calls', () => {
  let calls: number[];

  beforeAll(async () => {
    calls = [];
    for (let at = 0; at < 45; at += 1) calls.unshift(await aCallRecord(at));
  });

  it('has a line for each call of the user, newest first', async () => {
    expect(ids(await download('/user/calls/export'))).toEqual(calls);
    expect(await download('/user/calls/export', other)).toEqual([]);
  });

  it('shows what the list shows, and writes objects as JSON', async () => {
    const id = await aCallRecord(50, {
      duration: 8,
      total_cost_micros: 64_000,
      carrier_cost_micros: 14_000,
      ended_by: 'customer',
      ended_reason: 'customer_hangup',
      answered_by: 'human',
      transcript: 'AI: Hello, "Ada".\nCustomer: Hi, there.',
      evaluation: { status: true },
      transfers: JSON.stringify([
        { seq: 4, name: 'Workshop', to: '+14155550177', status: 'busy', at: '2026-01-31T09:30:30.000Z' },
      ]),
    });
    const line = (await download('/user/calls/export')).find((candidate) => candidate.id === String(id));
    expect(line).toMatchObject({
      created_at: '2026-01-31 09:00:50',
      type: 'outbound',
      status: 'completed',
      assistant_name: 'Ada',
      campaign_name: '',
      client_phone_number: '+15005550020',
      duration: '8',
      carrier_cost: '0.014',
      total_cost: '0.064',
      ended_reason: 'customer_hangup',
      transcript: 'AI: Hello, "Ada".\nCustomer: Hi, there.',
      evaluation: '{"status":true}',
      transfers: '[{"to":"+14155550177","status":"busy","at":"2026-01-31 09:30:30"}]',
      variables: '{}',
    });
    await mine.client.delete(`/user/calls/${id}`);
    expect(ids(await download('/user/calls/export'))).toEqual(calls);
  });

  it('has the filters of the list', async () => {
    const busy = await aCallRecord(60, { status: 'busy', client_phone_number: '+14155550111' });
    expect(ids(await download('/user/calls/export?status=busy'))).toEqual([busy]);
    expect(ids(await download('/user/calls/export?phone_number=%2B14155550111'))).toEqual([busy]);
    expect(ids(await download('/user/calls/export?phone_number=nobody'))).toEqual([]);
    expect(ids(await download('/user/calls/export?date_from=2026-02-01'))).toEqual([]);
    const { status, body } = await mine.client.get('/user/calls/export?date_from=2026-02-31');
    expect([status, body]).toMatchObject([422, { errors: { date_from: expect.anything() } }]);
  });

  it('quotes cells that a spreadsheet would execute, but not numbers', async () => {
    const name = '=HYPERLINK("https://example.com")';
    const id = await aCallRecord(70, { assistant_name: name, transcript: '@SUM(1)' });
    const line = (await download('/user/calls/export')).find((candidate) => candidate.id === String(id));
    expect(line).toMatchObject({
      assistant_name: `'${name}`,
      transcript: `'@SUM(1)`,
      client_phone_number: '+15005550020',
    });
  });
});

describe("the export of a campaign's results", () => {
  it('has a line for each main lead, with its last call and the cost of all', async () => {
    const called = await aLead(mine, campaign, {
      variables: { name: 'Ada' },
      secondary_contacts: [{ phone_number: '+14155550123' }],
    });
    const fresh = await aLead(mine, campaign);
    const record = { campaign_id: campaign, lead_id: called.id, total_cost_micros: 50_000 };
    await aCallRecord(100, { ...record, status: 'no-answer' });
    const last = await aCallRecord(101, { ...record, evaluation: { status: true }, duration: 61 });
    await aCallRecord(102, { ...record, deleted_at: new Date() });
    await database().query(
      `UPDATE leads SET status = 'rescheduled', due_at = '2030-01-31 09:30:00Z', last_outcome = 'busy' WHERE id = $1`,
      [called.id],
    );
    expect(await download(`/user/campaigns/${campaign}/export`)).toMatchObject([
      { lead_id: String(fresh.id), status: 'created', calls: '0', total_cost: '0', call_id: '', outcome: '' },
      {
        lead_id: String(called.id),
        phone_number: called.phone_number,
        created_at: called.created_at,
        next_attempt_at: '2030-01-31 09:30:00',
        last_outcome: 'busy',
        calls: '2',
        total_cost: '0.1',
        call_id: String(last),
        called_at: '2026-01-31 09:01:41',
        outcome: 'completed',
        duration: '61',
        evaluation: '{"status":true}',
        variables: '{"name":"Ada"}',
      },
    ]);
    const number = encodeURIComponent(fresh.phone_number);
    const filtered = await download(
      `/user/campaigns/${campaign}/export?phone_number=${number}&status=created`,
    );
    expect(filtered.map(({ lead_id }) => lead_id)).toEqual([String(fresh.id)]);
  });

  it('is complete when many leads are created at once', async () => {
    const large = await aCampaign(mine, { assistant_id: assistant });
    await database().query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, variables, created_at)
       SELECT $1, $2, '+1415' || 3000000 + number, '{}', '2026-01-31' FROM generate_series(1, 130) number`,
      [mine.id, large],
    );
    const lines = await download(`/user/campaigns/${large}/export`);
    expect(new Set(lines.map(({ lead_id }) => lead_id)).size).toBe(130);
    expect(lines).toHaveLength(130);
  });

  it('is not found for the campaign of another user', async () => {
    const { status, body } = await other.client.get(`/user/campaigns/${campaign}/export`);
    expect([status, body]).toEqual([404, { message: 'Campaign not found.' }]);
  });
});
