import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import {
  ask,
  CAMPAIGN,
  closeStatistics,
  openStatistics,
  plant,
  problemsOf,
  summedUp,
} from '../factories/call-statistics.js';
import { database } from '../support/database.js';
import { keeps, manyCalls, RetentionPass } from '../support/retention.js';
import { until } from '../support/until.js';

const AT = { at: '2026-03-28T10:00:00Z' };

describe('statistics', () => {
  let pass: RetentionPass;
  let user: TestAccount;

  beforeAll(() => openStatistics());
  afterAll(() => closeStatistics());
  beforeEach(async () => {
    pass = await RetentionPass.open();
    user = await anAccount();
  });
  afterEach(() => pass.close());

  it('stay as they are when evaluations are removed, only their texts are gone', async () => {
    const assistant = await anAssistant(user);
    const word = 'in a very good mood';
    const ids = [
      await plant(user, { ...AT, assistant, evaluation: { appointment_made: true, mood: word } }),
      await plant(user, { ...AT, assistant, evaluation: { appointment_made: false } }),
      await plant(user, { ...AT, assistant, evaluation: {}, responses: [300] }),
    ];
    await summedUp(user);
    const answers = () =>
      Promise.all(
        [{}, { variable: 'appointment_made' }, { group_by: 'assistant' }].map((query) =>
          ask(user, query as Record<string, string>),
        ),
      );
    const before = await answers();
    /** Versions of the rows without texts. */
    const versions = async (): Promise<unknown[]> => {
      const { rows } = await database().query(
        `SELECT dimension, key, xmin FROM call_stats WHERE account_id = $1 AND dimension <> 'evaluation:mood' ORDER BY 1, 2`,
        [user.id],
      );
      return rows;
    };
    const written = await versions();
    await keeps(user, { variables_days: 30, transcripts_days: 30 });
    await pass.run([user]);
    expect(await answers()).toEqual(before);
    await summedUp(user);
    expect(await versions()).toEqual(written);
    // Not while the service sums up.
    await until(async () => {
      await pass.run([user]);
      const { rows } = await database().query(
        `SELECT FROM call_stats WHERE account_id = $1 AND key = $2
         UNION ALL SELECT FROM call_stat_values WHERE account_id = $1 AND key = $2`,
        [user.id, word],
      );
      return rows.length === 0;
    });
    expect(await answers()).toEqual(before);
    const mood = await ask(user, { variable: 'mood', metrics: 'calls' });
    expect(mood.series.map(({ key, totals }) => [key, totals['calls']])).toEqual([['other', 1]]);
    expect(await problemsOf(user)).toEqual([]);
    await user.client.delete(`/user/calls/${ids[0]}`);
    await summedUp(user);
    expect(await problemsOf(user)).toEqual([]);
    expect((await ask(user, {})).totals['calls']).toBe(2);
  });

  it('of what assistants did count a call whose words are removed until it is deleted', async () => {
    const assistant = await anAssistant(user);
    const campaign = CAMPAIGN + 1;
    const id = await plant(user, { ...AT, assistant, campaign });
    await database().query(
      `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms)
       VALUES ($1, 5, 'send_digits', '{"digits": "12345"}', 'ok', true, 1)`,
      [id],
    );
    const counted = async (): Promise<number> => {
      const { rows } = await database().query<{ n: number }>(
        `SELECT coalesce(sum(n), 0)::int AS n FROM call_result_counts WHERE campaign_id = $1`,
        [campaign],
      );
      return rows[0]?.n ?? 0;
    };
    const before = await counted();
    await keeps(user, { transcripts_days: 30 });
    await pass.run([user]);
    expect([await pass.removed('transcripts'), await counted()]).toEqual([1, before]);
    await user.client.delete(`/user/calls/${id}`);
    expect(await counted()).toBe(before - 1);
  });

  it('of evaluations no longer count a call that is erased after its evaluation was removed', async () => {
    const assistant = await anAssistant(user);
    await plant(user, { ...AT, assistant, evaluation: { appointment_made: true } });
    await keeps(user, { variables_days: 30 });
    await pass.run([user]);
    const counted = async () => {
      await summedUp(user);
      const { series } = await ask(user, { variable: 'appointment_made', metrics: 'calls' });
      return series.flatMap(({ key, totals }) => (totals['calls'] ? [[key, totals['calls']]] : []));
    };
    expect(await counted()).toEqual([['true', 1]]);
    const { body } = await user.client.post<{ data: { id: number } }>('/user/erasures', {
      phone_number: '+15005550020',
    });
    await until(async () => {
      const job = await user.client.get<{ data: { status: string } }>(`/user/erasures/${body.data.id}`);
      return job.body.data.status === 'done';
    });
    expect(await counted()).toEqual([]);
    expect(await problemsOf(user)).toEqual([]);
  });

  it('and live events tell nothing of a removal', async () => {
    await manyCalls(user, await anAssistant(user), 1, 10);
    await keeps(user, { transcripts_days: 5, variables_days: 5 });
    await pass.run([user]);
    const { rows } = await database().query('SELECT kind FROM live_events WHERE account_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});
