import { DataSource } from 'typeorm';
import { CallStatisticsService } from '#src/modules/calls/analytics/call-statistics.service.js';
import { runCommand } from '../support/command.js';
import { database, databaseUrl } from '../support/database.js';
import { until } from '../support/until.js';
import type { TestAccount } from './account.js';

interface Analytics {
  buckets: string[];
  metrics: string[];
  series: {
    key: string | null;
    label: string | null;
    values: Record<string, (number | null)[]>;
    totals: Record<string, number | null>;
  }[];
  totals: Record<string, number | null>;
}

export interface Planted {
  at: string;
  status?: string;
  assistant?: number;
  answeredBy?: string;
  seconds?: number;
  cost?: number;
  reason?: string;
  type?: string;
  campaign?: number;
  evaluation?: object;
  /** Response times in milliseconds. */
  responses?: number[];
}

/** Of no campaign: other tests count the calls of theirs. */
export const CAMPAIGN = 2_100_000_007;

const db = new DataSource({ type: 'postgres', url: databaseUrl() });
export const job = new CallStatisticsService(db, {} as never, {} as never);
/** Closed by `closeStatistics`. */
export const openStatistics = () => db.initialize();
export const closeStatistics = () => db.destroy();

const SCHEMA = [
  { name: 'appointment_made', type: 'bool', description: '' },
  { name: 'mood', type: 'string', description: '' },
];

/** A call that is made final as wrap-up does it: its turns are there before. */
export async function plant({ id }: TestAccount, call: Planted): Promise<number> {
  const { status = 'completed', answeredBy = 'human', seconds = 0, cost = 0 } = call;
  const { rows } = await database().query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, token,
       assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, created_at,
       evaluation_plan)
     VALUES ($1, $2::int, 'Assistant ' || $2::int, $3, 'Campaign', $4, 'initiated', gen_random_uuid()::text,
             '+15005550021', '+15005550020', '{}', 0, 600, $5, $6) RETURNING id`,
    [
      id,
      call.assistant ?? 1,
      call.campaign ?? null,
      call.type ?? 'outbound',
      call.at,
      JSON.stringify({ model: 'm', schema: SCHEMA }),
    ],
  );
  const callId = rows[0]?.id ?? 0;
  for (const [index, ms] of (call.responses ?? []).entries()) {
    await database().query(
      `INSERT INTO call_turns (call_id, seq, role, text, timings)
       VALUES ($1, $2, 'assistant', 'Yes.', jsonb_build_object('prompt', 1000, 'textFirst', 1000 + $3::int))`,
      [callId, index + 1, ms],
    );
  }
  await database().query(
    `UPDATE calls SET status = $2, answered_by = $3, duration = $4, total_cost_micros = $5, ended_reason = $6,
            ended_at = created_at, answered_at = CASE WHEN $2 = 'completed' THEN created_at END, evaluation = $7
      WHERE id = $1`,
    [
      callId,
      status,
      answeredBy,
      seconds,
      cost * 1_000_000,
      call.reason ?? null,
      JSON.stringify(call.evaluation ?? {}),
    ],
  );
  return callId;
}

export const ask = async ({ client }: TestAccount, query: Record<string, string>): Promise<Analytics> => {
  const { status, body, text } = await client.get<{ data: Analytics }>(
    `/user/analytics/calls?${new URLSearchParams({ from: '2026-03-27', to: '2026-04-02', ...query })}`,
  );
  if (status !== 200) throw new Error(text);
  return body.data;
};

/** The service under test has the same job: whoever has its lock does the work. */
export const summedUp = ({ id }: TestAccount) =>
  until(async () => {
    await job.sumAll(new AbortController().signal);
    const { rows } = await database().query('SELECT FROM call_stat_changes WHERE account_id = $1', [id]);
    return rows.length === 0;
  });

/** What `accounts verify` says of the account's statistics. */
export async function problemsOf({ id }: TestAccount): Promise<string[]> {
  const { output } = await runCommand(['accounts', 'verify', '--json']);
  const { findings } = JSON.parse(output) as { findings: { accountId: number; problem: string }[] };
  const own = findings.filter(({ accountId }) => accountId === id).map(({ problem }) => problem);
  return own.filter((problem) => problem.includes('statistics'));
}
