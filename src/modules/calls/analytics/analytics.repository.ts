import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  STATISTICS_FIGURES,
  OTHER_GROUP_KEY,
  RESPONSE_TIME_SUMS_SQL,
  statisticsRowsSql,
} from './call-statistics.js';
import type { Interval } from './dto/analytics-query.dto.js';

/** A selection of rows of the statistics. */
export interface StatisticsSlice {
  accountId: number;
  dimension: string;
  /** Null: all. */
  key: string | null;
}

export interface TimeBucket {
  start: Date;
  /** ISO 8601 with the offset of the zone. */
  label: string;
}

export type CallFigures = Record<(typeof STATISTICS_FIGURES)[number], number> & { responses: number[] };

export interface StatisticsCell extends CallFigures {
  key: string;
  /** Whether the key is the sum of all smaller groups. */
  isRest: boolean;
  /** From 0. */
  bucket: number;
}

const MAX_GROUPS = 20;

/**
 * SQL of the sums, and of the changes not summed up yet. The slice is $1 … $3.
 *
 * @param range condition on `hour`
 */
const statisticsIn = (range: string): string => `(
  SELECT hour, key, ${STATISTICS_FIGURES.join(', ')}, responses FROM call_stats
   WHERE account_id = $1 AND dimension = $2 AND ($3::text IS NULL OR key = $3) AND ${range}
  UNION ALL
  SELECT hour, key, ${STATISTICS_FIGURES.join(', ')}, responses
    FROM ${statisticsRowsSql(`(SELECT * FROM call_stat_changes WHERE account_id = $1 AND ${range})`)} AS fresh
   WHERE dimension = $2 AND ($3::text IS NULL OR key = $3)) AS rows`;

const BETWEEN_TIMES = statisticsIn('hour >= $4 AND hour < $5');
const IN_DAYS = statisticsIn(
  'hour >= $4::date::timestamp AT TIME ZONE $6 AND hour < ($5::date + 1)::timestamp AT TIME ZONE $6',
);

/** Exact up to 2^53; sums of `bigint` would be `numeric`, which takes longer. */
const FIGURE_SUMS = STATISTICS_FIGURES.map((column) => `sum(${column}::float8) AS ${column}`).join(', ');
const NAMES = {
  assistant: ['assistant_id', 'assistant_name'],
  campaign: ['campaign_id', 'campaign_name'],
} as const;

/** Parameters: first day, last day, zone, interval. The last row is the end. */
const BUCKETS = `WITH range AS (
    SELECT $1::date::timestamp AT TIME ZONE $3 AS first, ($2::date + 1)::timestamp AT TIME ZONE $3 AS last),
  starts AS (
    SELECT generate_series(date_trunc('hour', first, 'UTC'), last - interval '1 second', interval '1 hour') AS start
      FROM range WHERE $4 = 'hour'
    UNION ALL
    SELECT greatest(first, local AT TIME ZONE $3) FROM range, generate_series(
      date_trunc($4, $1::date::timestamp), $2::date::timestamp, ('1 ' || $4)::interval) AS local
     WHERE $4 <> 'hour'
    UNION ALL SELECT last FROM range)
  SELECT start, to_char(local, 'YYYY-MM-DD"T"HH24:MI:SS') || CASE WHEN ahead < interval '0' THEN '-' ELSE '+' END
           || to_char(greatest(ahead, -ahead), 'HH24:MI') AS label
    FROM (SELECT start, start AT TIME ZONE $3 AS local,
                 (start AT TIME ZONE $3) - (start AT TIME ZONE 'UTC') AS ahead FROM starts) AS shown
   ORDER BY start`;

/** @param responses SQL of their sums */
const cellsWith = (responses: string): string => `
  WITH cells AS MATERIALIZED (
    SELECT key, width_bucket(hour, $6::timestamptz[]) - 1 AS bucket, ${FIGURE_SUMS}, ${responses} AS responses
      FROM ${BETWEEN_TIMES} GROUP BY 1, 2),
  biggest AS (SELECT key FROM cells GROUP BY key HAVING sum(n) > 0 ORDER BY sum(n) DESC, key LIMIT ${MAX_GROUPS})
  SELECT coalesce(biggest.key, '${OTHER_GROUP_KEY}') AS key, biggest.key IS NULL AS "isRest", bucket, ${FIGURE_SUMS},
         ${responses} AS responses
    FROM cells LEFT JOIN biggest USING (key) GROUP BY 1, 2, 3 HAVING sum(n) > 0`;

/** Reads the statistics of calls. */
@Injectable()
export class AnalyticsRepository {
  constructor(private readonly db: DataSource) {}

  /** The intervals of local days, and the end of the last one. */
  async listBuckets(
    from: string,
    to: string,
    { timezone, interval }: { timezone: string; interval: Interval },
  ): Promise<{ buckets: TimeBucket[]; end: Date }> {
    const buckets: TimeBucket[] = await this.db.query(BUCKETS, [from, to, timezone, interval]);
    const end = buckets.pop();
    if (!end) throw new Error('a range has an end');
    return { buckets, end: end.start };
  }

  /** By key and interval, with smaller groups as one. @param withResponses whether to read response times */
  listCells(
    { accountId, dimension, key }: StatisticsSlice,
    { buckets, end }: { buckets: readonly TimeBucket[]; end: Date },
    withResponses: boolean,
  ): Promise<StatisticsCell[]> {
    const starts = buckets.map(({ start }) => start);
    const text = cellsWith(withResponses ? RESPONSE_TIME_SUMS_SQL : `'{}'::int[]`);
    return this.db.query(text, [accountId, dimension, key, starts[0], end, starts]);
  }

  async listByHourOfWeek(
    { accountId, dimension, key }: StatisticsSlice,
    { from, to, timezone }: { from: string; to: string; timezone: string },
  ): Promise<{ weekday: number; hour: number; n: number; answered: number }[]> {
    return this.db.query(
      `SELECT extract(isodow FROM hour AT TIME ZONE $6)::int AS weekday,
              extract(hour FROM hour AT TIME ZONE $6)::int AS hour, sum(n)::float8 AS n, sum(answered)::float8 AS answered
         FROM ${IN_DAYS}
        GROUP BY 1, 2`,
      [accountId, dimension, key, from, to, timezone],
    );
  }

  /** Names by id, from the last call of each. */
  async findNames(
    accountId: number,
    property: keyof typeof NAMES,
    ids: readonly number[],
  ): Promise<Map<string, string>> {
    const [id, name] = NAMES[property];
    const rows: { id: number; name: string }[] = await this.db.query(
      `SELECT asked.id, last.name FROM unnest($2::int[]) AS asked (id) CROSS JOIN LATERAL (
         SELECT ${name} AS name FROM calls WHERE account_id = $1 AND ${id} = asked.id AND deleted_at IS NULL
          ORDER BY created_at DESC, calls.id DESC LIMIT 1) AS last`,
      [accountId, ids],
    );
    return new Map(rows.map((row) => [String(row.id), row.name]));
  }
}
