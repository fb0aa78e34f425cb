import { readFileSync } from 'node:fs';

/**
 * Upper bounds of response times in milliseconds: `responses[0]` counts what is below the first, the last place what
 * reaches the last. They are the array of `response_bounds` in the database.
 */
export const RESPONSE_BOUNDS = boundsIn(
  readFileSync(new URL('../sql/call_statistics.sql', import.meta.url), 'utf8'),
);

function boundsIn(sql: string): readonly number[] {
  const [, bounds] = /FUNCTION response_bounds\(\)[^;]*ARRAY(\[[\d, ]+\])/.exec(sql) ?? [];
  if (bounds === undefined) throw new Error('call_statistics.sql has no bounds of response times');
  return JSON.parse(bounds) as number[];
}

/** Milliseconds: what lies above the last bound is taken for less than this. */
const LONGEST = 10_000;

/** Text fields of evaluations have at most so many values of their own, the first ones; the rest are `other`. */
export const MAX_VALUES_PER_FIELD = 20;
/** Key of the values that have no row of their own, and of the groups behind the biggest ones. */
export const OTHER_KEY = 'other';

/** Properties of calls that statistics are kept by. */
export const ANALYTICS_GROUPS = [
  'assistant',
  'campaign',
  'status',
  'outcome',
  'answered_by',
  'type',
] as const;
export type AnalyticsGroup = (typeof ANALYTICS_GROUPS)[number];

export const evaluationDimension = (field: string): string => `evaluation:${field}`;

/** Columns of what is added up. */
export const FIGURES = [
  'n',
  'connected',
  'answered',
  'seconds',
  'cost_micros',
  'evaluated',
  'succeeded',
] as const;

/** SQL of the figures of rows, added up. */
export const FIGURE_SUMS_SQL = FIGURES.map((column) => `sum(${column}) AS ${column}`).join(', ');

const PLACES = [...RESPONSE_BOUNDS, LONGEST].map((_, index) => index + 1);
/** SQL of their response times, added up. */
export const RESPONSE_SUMS_SQL = `CASE WHEN bool_and(responses = '{}') THEN '{}'
  ELSE ARRAY[${PLACES.map((place) => `sum(coalesce(responses[${place}], 0))`).join(', ')}]::int[] END`;

/** SQL of the rows that calls, or changes, are in the statistics. @param calls columns as in `call_stat_changes` */
export const statisticsRowsSql = (calls: string): string => `(
  SELECT c.account_id, d.dimension, c.hour,
         CASE WHEN d.dimension NOT LIKE 'evaluation:%' OR EXISTS (
                SELECT FROM call_stat_values v
                 WHERE v.account_id = c.account_id AND v.dimension = d.dimension AND v.key = d.key)
              THEN d.key ELSE '${OTHER_KEY}' END AS key,
         c.n, c.connected, c.answered, c.seconds, c.cost_micros, c.evaluated, c.succeeded, c.responses
    FROM ${calls} c CROSS JOIN LATERAL (
      VALUES ('all', ''), ('assistant', c.assistant_id::text), ('campaign', coalesce(c.campaign_id::text, '')),
             ('type', c.type), ('status', c.status), ('outcome', c.outcome), ('answered_by', c.answered_by)
      UNION ALL SELECT 'evaluation:' || key, value FROM jsonb_each_text(c.evaluation)) AS d (dimension, key))`;

/**
 * The response time that this share of the answers did not exceed, interpolated between the bounds: the error is less
 * than the distance of two bounds. Milliseconds; null: there were no answers.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total <= 0) return null;
  let left = total * share;
  for (const [place, n] of counts.entries()) {
    const from = RESPONSE_BOUNDS[place - 1] ?? 0;
    const to = RESPONSE_BOUNDS[place] ?? LONGEST;
    if (left <= n && n > 0) return Math.round(from + (to - from) * (left / n));
    left -= n;
  }
  return LONGEST;
}
