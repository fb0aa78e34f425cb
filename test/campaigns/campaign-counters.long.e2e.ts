import { beforeAll, describe, expect, it } from '@jest/globals';
import { ACTION_BY_TOOL } from '#src/modules/calls/states/call-actions.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { auditLog } from '../support/audit.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';

type Stats = Record<'leads' | 'calls' | 'transfers' | 'actions', Record<string, number>>;

/** The tools of actions, with the argument that tells what was done. */
const ACTION_ARGUMENTS = {
  call_screening: 'step',
  send_digits: 'digits',
  switch_language: 'language',
  schedule_callback: 'local_time',
  voicemail: 'outcome',
};
describe('counters of a campaign', () => {
  let user: TestAccount;
  let campaign: number;

  const statsOf = async (id: number): Promise<Stats> =>
    (await user.client.get<{ data: { stats: Stats } }>(`/user/campaigns/${id}`)).body.data.stats;
  const counted = (counts: Record<string, number> | undefined) =>
    Object.fromEntries(Object.entries(counts ?? {}).filter(([, n]) => n !== 0));
  const set = (lead: number, fields: object) => user.client.put(`/user/leads/${lead}`, fields);
  const verify = (...options: string[]) => runCommand(['campaigns', 'verify', ...options]);
  const isRight = async (...ids: number[]) => {
    for (const id of ids) {
      expect(await verify('--id', String(id))).toMatchObject({
        code: 0,
        output: 'Every counter is right.\n',
      });
    }
  };
  async function aCall(status = 'in-progress', of = campaign): Promise<number> {
    const { rows } = await database().query<{ id: number }>(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, type, status, token,
         assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration)
       VALUES ($1, 1, 'Ada', $2, 'outbound', $3, gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0, 600)
       RETURNING id`,
      [user.id, of, status],
    );
    return rows[0]?.id ?? 0;
  }
  const did = (call: number, seq: number, tool: string, arguments_: object, ok = true) =>
    database().query(
      `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms)
       VALUES ($1, $2, $3, $4, '', $5, 1)`,
      [call, seq, tool, arguments_, ok],
    );
  const transferred = (call: number, ...statuses: string[]) =>
    database().query('UPDATE calls SET transfers = $2 WHERE id = $1', [
      call,
      JSON.stringify(statuses.map((status, seq) => ({ seq, name: 'desk', to: '+1', status }))),
    ]);

  beforeAll(async () => {
    user = await anAccount();
    campaign = await aCampaign(user);
  });

  it('follow leads that are created, changed, moved and deleted, also at the same time', async () => {
    const other = await aCampaign(user);
    const leads = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        aLead(user, campaign, n < 3 ? { secondary_contacts: [{ phone_number: aNumber() }] } : {}),
      ),
    );
    const [first, second, third, ...rest] = leads.map(({ id }) => id);
    const answers = await Promise.all([
      set(first ?? 0, { campaign_id: other }),
      set(second ?? 0, { campaign_id: other, status: 'completed' }),
      user.client.delete(`/user/leads/${third}`),
      set(leads[3]?.id ?? 0, { status: 'reached-max-retries' }),
      ...rest.slice(1, 5).map((id) => set(id, { status: 'completed' })),
      set(leads[1]?.secondary_contacts[0]?.id ?? 0, { status: 'completed' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(counted((await statsOf(campaign)).leads)).toEqual({
      created: 4,
      completed: 4,
      'reached-max-retries': 1,
    });
    expect(counted((await statsOf(other)).leads)).toEqual({ created: 1, completed: 1 });
    await set(rest[1] ?? 0, { status: 'created' });
    // One statement over both campaigns.
    await database().query(
      `UPDATE leads SET status = 'blacklisted' WHERE campaign_id = ANY($1) AND status = 'completed'`,
      [[campaign, other]],
    );
    expect(counted((await statsOf(campaign)).leads)).toEqual({
      created: 5,
      blacklisted: 3,
      'reached-max-retries': 1,
    });
    expect(counted((await statsOf(other)).leads)).toEqual({ created: 1, blacklisted: 1 });
    await isRight(campaign, other);
  });

  it('let transactions count at the same time without waiting for each other', async () => {
    const [one, two] = await Promise.all([aLead(user, campaign), aLead(user, campaign)]);
    const before = (await statsOf(campaign)).leads;
    const open = await database().connect();
    try {
      await open.query('BEGIN');
      await open.query(`UPDATE leads SET status = 'processing' WHERE id = $1`, [one.id]);
      expect((await set(two.id, { status: 'completed' })).status).toBe(200);
      await open.query('COMMIT');
    } finally {
      open.release();
    }
    const { leads } = await statsOf(campaign);
    const change = (status: string) => (leads[status] ?? 0) - (before[status] ?? 0);
    expect([change('created'), change('processing'), change('completed')]).toEqual([-2, 1, 1]);
  });

  it('follow calls, their transfers and the actions of their assistants', async () => {
    const calls = [await aCall(), await aCall(), await aCall()] as const;
    await database().query(`UPDATE calls SET status = 'completed' WHERE id = $1`, [calls[0]]);
    await transferred(calls[0], 'dialing');
    await transferred(calls[0], 'busy', 'dialing');
    await transferred(calls[0], 'busy', 'answered');
    await transferred(calls[1], 'answered');
    expect(Object.keys(ACTION_ARGUMENTS)).toEqual(Object.keys(ACTION_BY_TOOL));
    let seq = 0;
    for (const [tool, argument] of Object.entries(ACTION_ARGUMENTS)) {
      await did(calls[0], ++seq, tool, { [argument]: '1' });
      await did(calls[0], ++seq, tool, { [argument]: '2' });
      await did(calls[1], ++seq, tool, { [argument]: '1' });
      await did(calls[1], ++seq, tool, { [argument]: '1' }, false);
      await did(calls[2], ++seq, tool, { [argument]: 1 });
      await did(calls[2], ++seq, tool, {});
    }
    expect(await statsOf(campaign)).toMatchObject({
      calls: { completed: 1, 'in-progress': 2 },
      transfers: { dialing: 0, busy: 1, answered: 2 },
      actions: { screening: 2, keys: 2, language: 2, callback: 2, voicemail: 2 },
    });
    await isRight(campaign);

    expect((await user.client.delete(`/user/calls/${calls[0]}`)).status).toBe(200);
    expect(await statsOf(campaign)).toMatchObject({
      calls: { completed: 0, 'in-progress': 2 },
      transfers: { busy: 0, answered: 1 },
      actions: { screening: 1, keys: 1, language: 1, callback: 1, voicemail: 1 },
    });
    await isRight(campaign);
  });

  it('and the newest calls give an estimate of the end of a campaign in progress', async () => {
    const other = await aCampaign(user, { max_calls_in_parallel: 2, max_retries: 3, retry_interval: 60 });
    const estimate = async (): Promise<string | null> => {
      const path = `/user/campaigns/${other}`;
      const { body } = await user.client.get<{ data: { estimated_end_at: string | null } }>(path);
      const { body: list } =
        await user.client.get<{ id: number; estimated_end_at: string | null }[]>('/user/campaigns');
      expect(list.find(({ id }) => id === other)?.estimated_end_at === null).toBe(
        body.data.estimated_end_at === null,
      );
      return body.data.estimated_end_at;
    };
    const leads: number[] = [];
    for (let lead = 0; lead < 4; lead += 1) leads.push((await aLead(user, other)).id);
    // None is dialled during the test.
    const { rows: due } = await database().query<{ due_at: Date }>(
      `UPDATE leads SET due_at = now() + interval '1 day' WHERE campaign_id = $1 RETURNING due_at`,
      [other],
    );
    const minutesFromThen = async (): Promise<number> =>
      (Date.parse(`${await estimate()}Z`) - Number(due[0]?.due_at)) / 60_000;
    const move = (action: string) =>
      user.client.post('/user/campaigns/update-status', { campaign_id: other, action });
    await move('start');
    expect(await estimate()).toBeNull();
    const calls = [await aCall('busy', other), await aCall('completed', other), await aCall('busy', other)];
    const took = (call: number | undefined, began: string, seconds: number) =>
      database().query(
        `UPDATE calls SET created_at = now() - $2::interval, ended_at = now() - $2::interval + $3 * interval '1 s'
          WHERE id = $1`,
        [call, began, seconds],
      );
    await took(calls[0], '50 minutes', 300);
    await took(calls[1], '20 minutes', 900);
    await took(calls[2], '61 minutes', 3);
    // No call has reached anybody: the leads of tomorrow take two retries, each after an hour; calls take ten minutes.
    expect(Math.abs((await minutesFromThen()) - (10 + 2 * 70))).toBeLessThan(1);
    await set(leads[0] ?? 0, { status: 'completed' });
    await set(leads[1] ?? 0, { status: 'completed' });
    // A third misses: of the two leads at least one is expected to take a retry, none a second one.
    expect(Math.abs((await minutesFromThen()) - (10 + 70))).toBeLessThan(1);
    await set(leads[2] ?? 0, { status: 'completed' });
    expect(Math.abs((await minutesFromThen()) - 10)).toBeLessThan(1);
    await move('stop');
    expect(await estimate()).toBeNull();
  });

  it('that are changed are reported by `campaigns verify` and corrected by `--repair`', async () => {
    await aLead(user, campaign);
    const call = await aCall('failed');
    await transferred(call, 'failed');
    await did(call, 1, 'send_digits', { digits: '1' });
    const before = await statsOf(campaign);
    await database().query('UPDATE lead_counts SET n = n + 5 WHERE campaign_id = $1 AND status = $2', [
      campaign,
      'created',
    ]);
    await database().query('UPDATE lead_day_counts SET n = n + 3 WHERE campaign_id = $1 AND status = $2', [
      campaign,
      'created',
    ]);
    await database().query('UPDATE call_tallies SET n = n + 7 WHERE campaign_id = $1 AND status = $2', [
      campaign,
      'failed',
    ]);
    await database().query('DELETE FROM call_result_counts WHERE campaign_id = $1', [campaign]);
    const tampered = await statsOf(campaign);

    const { code, output } = await verify('--id', String(campaign));
    expect(code).toBe(1);
    const created = [before.leads.created, tampered.leads.created].join(' +');
    expect(output).toMatch(/CAMPAIGN +OF +COUNTER +ROWS +COUNTED/);
    expect(output).toMatch(new RegExp(`^ *${campaign} +leads +created +${created}$`, 'm'));
    expect(output).toMatch(new RegExp(`^ *${campaign} +leads +created [-\\d]{10} +\\d+ +\\d+$`, 'm'));
    expect(output).toMatch(new RegExp(`^ *${campaign} +calls +failed +1 +8$`, 'm'));
    expect(output).toMatch(new RegExp(`^ *${campaign} +transfers +failed +1 +0$`, 'm'));
    expect(output).toMatch(new RegExp(`^ *${campaign} +actions +send_digits +\\d +0$`, 'm'));
    // It reads only.
    expect(await statsOf(campaign)).toEqual(tampered);

    expect(await verify('--id', String(campaign), '--repair')).toMatchObject({ code: 1 });
    expect(await statsOf(campaign)).toEqual(before);
    await isRight(campaign);
    const repairs = await auditLog(user, `action=campaign.repair&resource_id=${campaign}`);
    expect(repairs.map(({ actor, details }) => [actor.type, details['of']]).sort()).toEqual(
      ['actions', 'calls', 'leads', 'transfers'].map((part) => ['cli', part]),
    );
  });

  it('are verified of a campaign whose id is a number, other ids are a usage error', async () => {
    expect(await verify('--id', 'twelve')).toMatchObject({ code: 2 });
  });
});
