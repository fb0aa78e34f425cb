import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import {
  ask,
  CAMPAIGN,
  closeStatistics,
  job,
  openStatistics,
  plant,
  problemsOf,
  summedUp,
  type Planted,
} from '../factories/call-statistics.js';
import { aCall, BUSY, callWhen, HANGS_UP } from '../factories/call.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

beforeAll(openStatistics);
afterAll(closeStatistics);

describe('the analytics of calls', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount();
    const calls: Planted[] = [
      // In Berlin 00:30 on the 28th, and after the change of the clocks 01:30 on the 30th.
      { at: '2026-03-27T23:30:00Z', seconds: 60, cost: 0.1, reason: 'goodbye', responses: [600, 700] },
      { at: '2026-03-29T23:30:00Z', seconds: 30, cost: 0.05, reason: 'goodbye', assistant: 2 },
      { at: '2026-03-30T10:00:00Z', status: 'busy', campaign: CAMPAIGN },
      {
        at: '2026-03-30T10:05:00Z',
        answeredBy: 'machine',
        seconds: 6,
        reason: 'voicemail',
        campaign: CAMPAIGN,
      },
      { at: '2026-03-30T11:05:00Z', type: 'inbound', seconds: 24, reason: 'A text of the carrier' },
      { at: '2026-03-31T09:00:00Z', evaluation: { appointment_made: true, mood: 'glad' } },
      { at: '2026-03-31T09:00:00Z', evaluation: { appointment_made: false, mood: 'glad' } },
      { at: '2026-03-31T09:00:00Z', evaluation: { appointment_made: true, mood: 'x'.repeat(41) } },
    ];
    for (const call of calls) await plant(user, call);
  });

  it('count in the days of the zone, over a change of its clocks', async () => {
    const { buckets, series, totals } = await ask(user, {
      timezone: 'Europe/Berlin',
      metrics: 'calls,answered,seconds,cost,average_duration',
    });
    expect(buckets).toEqual([
      '2026-03-27T00:00:00+01:00',
      '2026-03-28T00:00:00+01:00',
      '2026-03-29T00:00:00+01:00',
      '2026-03-30T00:00:00+02:00',
      '2026-03-31T00:00:00+02:00',
      '2026-04-01T00:00:00+02:00',
      '2026-04-02T00:00:00+02:00',
    ]);
    expect(series).toHaveLength(1);
    expect(series[0]).toMatchObject({
      key: null,
      label: null,
      values: {
        calls: [0, 1, 0, 4, 3, 0, 0],
        answered: [0, 1, 0, 2, 3, 0, 0],
        cost: [0, 0.1, 0, 0.05, 0, 0, 0],
        average_duration: [null, 60, null, 20, 0, null, null],
      },
    });
    expect(totals).toEqual({ calls: 8, answered: 6, seconds: 120, cost: 0.15, average_duration: 17.1429 });
  });

  it('are the same before and after aggregation, in every group', async () => {
    const groups = ['assistant', 'campaign', 'status', 'outcome', 'answered_by', 'type'];
    const all = () =>
      Promise.all(
        groups.map((group_by) => ask(user, { group_by, metrics: 'calls,seconds', interval: 'month' })),
      );
    const before = await all();
    await summedUp(user);
    expect(await all()).toEqual(before);
    const totalsOf = (group: string) =>
      Object.fromEntries(
        (before[groups.indexOf(group)]?.series ?? []).map(({ key, label, totals }) => [
          key,
          label === null ? totals['calls'] : [label, totals['calls']],
        ]),
      );
    expect(totalsOf('assistant')).toEqual({ 1: ['Assistant 1', 7], 2: ['Assistant 2', 1] });
    expect(totalsOf('campaign')).toEqual({ '': 6, [CAMPAIGN]: ['Campaign', 2] });
    expect(totalsOf('status')).toEqual({ completed: 7, busy: 1 });
    expect(totalsOf('outcome')).toEqual({ none: 4, goodbye: 2, voicemail: 1, other: 1 });
    expect(totalsOf('answered_by')).toEqual({ human: 7, machine: 1 });
    expect(totalsOf('type')).toEqual({ outbound: 7, inbound: 1 });
    expect(before[0]?.buckets).toEqual(['2026-03-27T00:00:00+00:00', '2026-04-01T00:00:00+00:00']);
  });

  it('return the share of successes and group by a field of the evaluation, its short values only', async () => {
    const booleans = await ask(user, { variable: 'appointment_made', metrics: 'calls,success' });
    expect(booleans.series.map(({ key, totals }) => [key, totals])).toEqual([
      ['true', { calls: 2, success: 1 }],
      ['false', { calls: 1, success: 0 }],
    ]);
    const all = await ask(user, { metrics: 'success' });
    expect(all.totals).toEqual({ success: 0.6667 });
    await summedUp(user);
    const moods = await ask(user, { variable: 'mood' });
    expect(moods.series.map(({ key, totals }) => [key, totals])).toEqual([['glad', { calls: 2 }]]);
  });

  it('interpolate response times', async () => {
    const { totals } = await ask(user, { metrics: 'response_p50,response_p95' });
    // Two answers between 0.5 and 0.75 s.
    expect(totals).toEqual({ response_p50: 0.625, response_p95: 0.738 });
  });

  it('count one assistant or campaign, and hours', async () => {
    expect((await ask(user, { assistant_id: '2', metrics: 'calls,seconds' })).totals).toEqual({
      calls: 1,
      seconds: 30,
    });
    expect((await ask(user, { campaign_id: String(CAMPAIGN) })).totals).toEqual({ calls: 2 });
    const hours = await ask(user, { interval: 'hour', from: '2026-03-30', to: '2026-03-30' });
    expect(hours.buckets).toHaveLength(24);
    expect(hours.series[0]?.values['calls']?.slice(9, 12)).toEqual([0, 2, 1]);
  });

  it('follow a call that becomes cheaper, and one that is deleted', async () => {
    const account = await anAccount();
    const id = await plant(account, { at: '2026-03-28T10:00:00Z', cost: 0.2, seconds: 5 });
    await summedUp(account);
    await database().query('UPDATE calls SET total_cost_micros = 150000 WHERE id = $1', [id]);
    expect((await ask(account, { metrics: 'calls,cost' })).totals).toEqual({ calls: 1, cost: 0.15 });
    expect((await account.client.delete(`/user/calls/${id}`)).status).toBe(200);
    expect((await ask(account, { metrics: 'calls,cost,seconds' })).totals).toEqual({
      calls: 0,
      cost: 0,
      seconds: 0,
    });
    await summedUp(account);
    expect((await ask(account, { metrics: 'calls,cost' })).totals).toEqual({ calls: 0, cost: 0 });
  });

  it('merge groups after the twenty biggest', async () => {
    const account = await anAccount();
    for (let assistant = 1; assistant <= 22; assistant += 1)
      await plant(account, { at: '2026-03-28T10:00:00Z', assistant });
    await plant(account, { at: '2026-03-28T10:00:00Z', assistant: 22 });
    const { series } = await ask(account, { group_by: 'assistant' });
    expect(series).toHaveLength(21);
    expect([series[0]?.key, series.at(-1)?.key, series.at(-1)?.totals]).toEqual([
      '22',
      'other',
      { calls: 2 },
    ]);
  });

  it('have a row each for twenty values of a field, and count later ones together', async () => {
    const account = await anAccount();
    for (let mood = 0; mood < 22; mood += 1)
      await plant(account, { at: '2026-03-28T10:00:00Z', evaluation: { mood: `mood ${mood}` } });
    await summedUp(account);
    await plant(account, { at: '2026-03-28T10:00:00Z', evaluation: { mood: 'mood 21' } });
    const { rows } = await database().query<{ key: string; n: number }>(
      `SELECT key, n FROM call_stats WHERE account_id = $1 AND dimension = 'evaluation:mood' ORDER BY n DESC`,
      [account.id],
    );
    expect([rows.length, rows[0]]).toEqual([21, { key: 'other', n: 2 }]);
    const { series, totals } = await ask(account, { variable: 'mood' });
    expect([series[0]?.totals, totals]).toEqual([{ calls: 3 }, { calls: 23 }]);
    expect(await problemsOf(account)).toEqual([]);
  });

  it('count calls that ended before there were statistics', async () => {
    const account = await anAccount();
    const client = await database().connect();
    // Without the triggers.
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica`);
    await client.query(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration, created_at, duration, answered_at)
       VALUES ($1, 1, 'Ada', 'outbound', 'completed', gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0,
               600, '2026-03-28T10:00:00Z', 9, '2026-03-28T10:00:00Z')`,
      [account.id],
    );
    await client.query('COMMIT');
    client.release();
    const metrics = 'calls,seconds';
    await until(async () => {
      await job.sumAll(new AbortController().signal);
      return (await ask(account, { metrics })).totals['calls'] === 1;
    });
    expect((await ask(account, { metrics })).totals).toEqual({ calls: 1, seconds: 9 });
    await summedUp(account);
    expect((await ask(account, { metrics })).totals).toEqual({ calls: 1, seconds: 9 });
  });

  it('are checked by accounts verify', async () => {
    const account = await anAccount();
    const call = { at: '2026-03-28T10:00:00Z', responses: [300], evaluation: { appointment_made: true } };
    await plant(account, call);
    await summedUp(account);
    await plant(account, { ...call, cost: 0.3 });
    expect(await problemsOf(account)).toEqual([]);
    await database().query(
      `UPDATE call_stats SET responses[2] = 7 WHERE account_id = $1 AND dimension = 'status'`,
      [account.id],
    );
    expect(await problemsOf(account)).toEqual([
      'the statistics of 2026-03-28T10:00:00.000Z by status "completed" differ from a recount of the calls',
    ]);
    await database().query(
      `UPDATE call_stats SET responses[2] = 1 WHERE account_id = $1 AND dimension = 'status'`,
      [account.id],
    );
  });

  it('count calls as they end', async () => {
    const account = await anAccount();
    const assistant = await anAssistant(account, {});
    const [reached, busy] = [
      await aCall(account, assistant, { phoneNumber: HANGS_UP }),
      await aCall(account, assistant, { phoneNumber: BUSY }),
    ];
    for (const id of [reached, busy])
      await callWhen(account, id, ({ status }) => ['completed', 'busy'].includes(status));
    const { body } = await account.client.get<{ data: { total_cost: number; duration: number }[] }>(
      '/user/calls',
    );
    const today = new Date().toISOString().slice(0, 10);
    const { totals } = await ask(account, { from: today, to: today, metrics: 'calls,answered,cost,seconds' });
    expect(totals).toEqual({
      calls: 2,
      answered: 1,
      cost: body.data.reduce((sum, { total_cost }) => sum + total_cost, 0),
      seconds: body.data.reduce((sum, { duration }) => sum + duration, 0),
    });
  });

  it.each([
    [{ to: '2026-03-26' }, { to: ['The to field must be a date after or equal to from.'] }],
    [{ to: '2027-04-01' }, { to: ['The to field must be within 366 days of from.'] }],
    [{ group_by: 'type', to: '2026-06-27' }, { to: ['The to field must be within 92 days of from.'] }],
    [{ interval: 'hour', to: '2026-04-30' }, { to: ['The to field must be within 31 days of from.'] }],
    [{ metrics: 'calls,minutes' }, { metrics: ['The metrics field format is invalid.'] }],
    [{ timezone: 'Europe/Atlantis' }, { timezone: ['The timezone field must be a valid timezone.'] }],
    [
      { group_by: 'type', campaign_id: String(CAMPAIGN) },
      { campaign_id: ['The campaign id field cannot be used together with group_by.'] },
    ],
  ])('refuse %j', async (query, errors) => {
    const wanted = new URLSearchParams({ from: '2026-03-27', to: '2026-04-02', ...query });
    const { status, body } = await user.client.get(`/user/analytics/calls?${wanted}`);
    expect([status, body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });
});

it('the answer rate counts outbound calls by weekday and hour of the zone', async () => {
  const account = await anAccount();
  for (const call of [
    { at: '2026-03-30T10:00:00Z', campaign: CAMPAIGN },
    { at: '2026-03-30T10:30:00Z', answeredBy: 'machine' },
    { at: '2026-04-06T10:59:00Z', status: 'no-answer', campaign: CAMPAIGN },
    { at: '2026-03-30T10:00:00Z', type: 'inbound' },
  ])
    await plant(account, call);
  const rate = async (query: object) => {
    const range = { from: '2026-03-01', to: '2026-04-30', timezone: 'Europe/Berlin', ...query };
    const { body } = await account.client.get<{
      data: { cells: { weekday: number; hour: number; calls: number; answered: number }[]; totals: object };
    }>(`/user/analytics/answer-rate?${new URLSearchParams(range)}`);
    expect(body.data.cells).toHaveLength(168);
    return body.data;
  };
  const { cells, totals } = await rate({});
  expect(cells.filter(({ calls }) => calls > 0)).toEqual([
    { weekday: 1, hour: 12, calls: 3, answered: 1, rate: 0.3333 },
  ]);
  expect(totals).toEqual({ calls: 3, answered: 1, rate: 0.3333 });
  expect((await rate({ campaign_id: String(CAMPAIGN) })).totals).toEqual({
    calls: 2,
    answered: 1,
    rate: 0.5,
  });
});
