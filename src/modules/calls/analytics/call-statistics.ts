import { readFileSync } from 'node:fs';

/**
 * Upper bounds of response times in milliseconds: `responses[0]` counts responses below the first, the last position
 * those from the last on. They equal the array of `response_bounds` in the database.
 */
export const RESPONSE_TIME_BOUNDS = parseBounds(
  readFileSync(new URL('../sql/call_statistics.sql', import.meta.url), 'utf8'),
);

function parseBounds(sql: string): readonly number[] {
  const [, bounds] = /FUNCTION response_bounds\(\)[^;]*ARRAY(\[[\d, ]+\])/.exec(sql) ?? [];
  if (bounds === undefined) throw new Error('call_statistics.sql has no bounds of response times');
  return JSON.parse(bounds) as number[];
}

/** Assumed upper bound, in milliseconds, of response times above the last one. */
const MAX_RESPONSE_MS = 10_000;

/** Values of a text field of evaluations with rows of their own, the first ones; others count as `other`. */
export const MAX_VALUES_PER_FIELD = 20;
/** Key of values without a row of their own, and of smaller groups together. */
export const OTHER_GROUP_KEY = 'other';

/** Properties of calls with statistics. */
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

/** Columns that are summed. */
export const STATISTICS_FIGURES = [
  'n',
  'connected',
  'answered',
  'seconds',
  'cost_micros',
  'evaluated',
  'succeeded',
] as const;

/** SQL of the sums of figures. */
export const FIGURE_SUMS_SQL = STATISTICS_FIGURES.map((column) => `sum(${column}) AS ${column}`).join(', ');

const POSITIONS = [...RESPONSE_TIME_BOUNDS, MAX_RESPONSE_MS].map((_, index) => index + 1);
/** SQL of the sums of response times. */
export const RESPONSE_TIME_SUMS_SQL = `CASE WHEN max(cardinality(responses)) = 0 THEN '{}'
  ELSE ARRAY[${POSITIONS.map((place) => `sum(coalesce(responses[${place}], 0))`).join(', ')}]::int[] END`;

/** SQL of the statistics rows of calls or changes. @param calls columns as in `call_stat_changes` */
export const statisticsRowsSql = (calls: string): string => `(
  SELECT c.account_id, d.dimension, c.hour,
         CASE WHEN d.dimension NOT LIKE 'evaluation:%' OR EXISTS (
                SELECT FROM call_stat_values v
                 WHERE v.account_id = c.account_id AND v.dimension = d.dimension AND v.key = d.key)
              THEN d.key ELSE '${OTHER_GROUP_KEY}' END AS key,
         c.n, c.connected, c.answered, c.seconds, c.cost_micros, c.evaluated, c.succeeded, c.responses
    FROM ${calls} c CROSS JOIN LATERAL (
      VALUES ('all', ''), ('assistant', c.assistant_id::text), ('campaign', coalesce(c.campaign_id::text, '')),
             ('type', c.type), ('status', c.status), ('outcome', c.outcome), ('answered_by', c.answered_by)
      UNION ALL SELECT 'evaluation:' || key, value FROM jsonb_each_text(c.evaluation)) AS d (dimension, key))`;

/**
 * The response time that this share of the responses did not exceed, interpolated between the bounds: the error is less
 * than the distance of two bounds. Milliseconds; null without responses.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (total <= 0) return null;
  let remaining = total * share;
  for (const [place, n] of counts.entries()) {
    const from = RESPONSE_TIME_BOUNDS[place - 1] ?? 0;
    const to = RESPONSE_TIME_BOUNDS[place] ?? MAX_RESPONSE_MS;
    if (remaining <= n && n > 0) return Math.round(from + (to - from) * (remaining / n));
    remaining -= n;
  }
  return MAX_RESPONSE_MS;
}
