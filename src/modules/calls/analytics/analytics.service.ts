import { Injectable } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { toAmount } from '#src/common/money/micros.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { checkDayRange, timeZoneOfQuery } from '#src/common/validation/day-range.js';
import {
  AnalyticsRepository,
  type StatisticsCell,
  type CallFigures,
  type StatisticsSlice,
} from './analytics.repository.js';
import {
  STATISTICS_FIGURES,
  evaluationDimension,
  percentile,
  RESPONSE_TIME_BOUNDS,
} from './call-statistics.js';
import type { AnswerRateDto, CallAnalyticsDto, Metric } from './dto/analytics-query.dto.js';
import type { AnswerRateResponse, CallAnalyticsResponse } from './dto/analytics.response.js';

/** Maximum of days per query: each has up to 24 rows for each group. */
const MAX_DAYS = { whole: { other: 366, hour: 31 }, grouped: { other: 92, hour: 7 } };

/** Values by metric; null without calls to which it applies. */
const VALUES: Record<Metric, (figures: CallFigures) => number | null> = {
  calls: ({ n }) => n,
  answered: ({ answered }) => answered,
  seconds: ({ seconds }) => seconds,
  cost: ({ cost_micros }) => toAmount(BigInt(Math.round(cost_micros))),
  average_duration: ({ seconds, connected }) => ratio(seconds, connected),
  response_p50: ({ responses }) => seconds(percentile(responses, 0.5)),
  response_p95: ({ responses }) => seconds(percentile(responses, 0.95)),
  success: ({ succeeded, evaluated }) => ratio(succeeded, evaluated),
};

/** Statistics of an account's finished calls. */
@Injectable()
export class AnalyticsService {
  constructor(private readonly statistics: AnalyticsRepository) {}

  /** @throws Invalid */
  async analyzeCalls(userId: number, query: CallAnalyticsDto): Promise<CallAnalyticsResponse> {
    const { from, to, interval = 'day', metrics: asked = 'calls' } = query;
    const isGrouped = query.group_by !== undefined || query.variable !== undefined;
    checkDayRange(query, MAX_DAYS[isGrouped ? 'grouped' : 'whole'][interval === 'hour' ? 'hour' : 'other']);
    const timezone = timeZoneOfQuery(query);
    const slice = toSlice(userId, query);
    const metrics = [...new Set(asked.split(','))] as Metric[];
    const range = await this.statistics.listBuckets(from, to, { timezone, interval });
    const withResponses = metrics.some((metric) => metric.startsWith('response_'));
    const cells = await this.statistics.listCells(slice, range, withResponses);
    const names = await this.findNames(userId, query, cells);
    const shown = (figures: CallFigures) =>
      Object.fromEntries(metrics.map((metric) => [metric, VALUES[metric](figures)]));
    const groups = isGrouped ? groupByKey(cells) : [cells];
    const series = groups.map((group) => {
      const key = isGrouped ? (group[0]?.key ?? null) : null;
      const byBucket = new Map(group.map((cell) => [cell.bucket, cell]));
      const values = metrics.map((metric) => [
        metric,
        range.buckets.map((_, bucket) => VALUES[metric](byBucket.get(bucket) ?? NO_FIGURES)),
      ]);
      return {
        key,
        label: key === null ? null : (names.get(key) ?? null),
        values: Object.fromEntries(values) as Record<Metric, (number | null)[]>,
        totals: shown(sumFigures(group)),
      };
    });
    const buckets = range.buckets.map(({ label }) => label);
    return { interval, timezone, metrics, buckets, series, totals: shown(sumFigures(cells)) };
  }

  /** @throws Invalid */
  async getAnswerRate(userId: number, query: AnswerRateDto): Promise<AnswerRateResponse> {
    const { from, to, campaign_id: campaign } = query;
    checkDayRange(query, MAX_DAYS.whole.other);
    const timezone = timeZoneOfQuery(query);
    const slice =
      campaign === undefined
        ? { accountId: userId, dimension: 'type', key: 'outbound' }
        : { accountId: userId, dimension: 'campaign', key: String(campaign) };
    const rows = await this.statistics.listByHourOfWeek(slice, { from, to, timezone });
    const found = new Map(rows.map((row) => [row.weekday * 24 + row.hour, row]));
    const cells = Array.from({ length: 7 * 24 }, (_, index) => {
      const [weekday, hour] = [Math.floor(index / 24) + 1, index % 24];
      const { n: calls, answered } = found.get(weekday * 24 + hour) ?? { n: 0, answered: 0 };
      return { weekday, hour, calls, answered, rate: ratio(answered, calls) };
    });
    const calls = cells.reduce((sum, cell) => sum + cell.calls, 0);
    const answered = cells.reduce((sum, cell) => sum + cell.answered, 0);
    return { timezone, cells, totals: { calls, answered, rate: ratio(answered, calls) } };
  }

  private async findNames(
    userId: number,
    { group_by: group }: CallAnalyticsDto,
    cells: readonly StatisticsCell[],
  ): Promise<Map<string, string>> {
    if (group !== 'assistant' && group !== 'campaign') return new Map();
    const ids = new Set(
      cells.filter(({ key, isRest }) => key !== '' && !isRest).map(({ key }) => Number(key)),
    );
    return this.statistics.findNames(userId, group, [...ids]);
  }
}

/** Translates filters and groups, of which the statistics support one at a time. @throws Invalid */
function toSlice(accountId: number, query: CallAnalyticsDto): StatisticsSlice {
  const { group_by: group, variable, assistant_id: assistant, campaign_id: campaign } = query;
  const wanted = Object.entries({
    group_by: group === undefined ? null : { dimension: group, key: null },
    variable: variable === undefined ? null : { dimension: evaluationDimension(variable), key: null },
    assistant_id: assistant === undefined ? null : { dimension: 'assistant', key: String(assistant) },
    campaign_id: campaign === undefined ? null : { dimension: 'campaign', key: String(campaign) },
  }).flatMap(([field, slice]) => (slice ? [{ field, slice }] : []));
  const [first, second] = wanted;
  if (first && second) {
    const rule = `cannot be used together with ${first.field}`;
    throw new Invalid({ [second.field]: [fieldMessage(second.field, rule)] });
  }
  return { accountId, ...(first?.slice ?? { dimension: 'all', key: null }) };
}

/** The biggest group first, `other` last. */
function groupByKey(cells: readonly StatisticsCell[]): StatisticsCell[][] {
  const groups = new Map<string, StatisticsCell[]>();
  for (const cell of cells) {
    const name = `${cell.isRest} ${cell.key}`;
    groups.set(name, [...(groups.get(name) ?? []), cell]);
  }
  const size = (group: StatisticsCell[]): number => (group[0]?.isRest ? -1 : sumFigures(group).n);
  return [...groups.values()].sort((one, other) => size(other) - size(one));
}

const NO_FIGURES: CallFigures = {
  ...(Object.fromEntries(STATISTICS_FIGURES.map((name) => [name, 0])) as Omit<CallFigures, 'responses'>),
  responses: [],
};

function sumFigures(cells: readonly CallFigures[]): CallFigures {
  const figures = STATISTICS_FIGURES.map((name) => [name, cells.reduce((sum, cell) => sum + cell[name], 0)]);
  const responses = Array.from({ length: RESPONSE_TIME_BOUNDS.length + 1 }, (_, place) =>
    cells.reduce((sum, cell) => sum + (cell.responses[place] ?? 0), 0),
  );
  return { ...(Object.fromEntries(figures) as Omit<CallFigures, 'responses'>), responses };
}

const ratio = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
