import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { timeZoneOfQuery } from '#src/common/validation/day-range.js';

/** Days in the query of a list, both included. */
interface DaysQuery {
  date_from?: string;
  date_to?: string;
  timezone?: string;
}

/** Conditions of a counted list: see `CountedListFilter`. */
interface DayConditions {
  where: string[];
  tallied: string[];
  edges: string[];
}

const beginOf = (day: string, zone: string): string => `(${day}::date::timestamp AT TIME ZONE ${zone})`;
const endOf = (day: string, zone: string): string => `((${day}::date + 1)::timestamp AT TIME ZONE ${zone})`;

/** Adds the days to a query. @param column of the time */
export function addDayConditions<T extends ObjectLiteral>(
  builder: SelectQueryBuilder<T>,
  column: string,
  query: DaysQuery,
): void {
  const { date_from, date_to } = query;
  const zone = timeZoneOfQuery(query);
  if (date_from) builder.andWhere(`${column} >= ${beginOf(':date_from', ':zone')}`, { date_from, zone });
  if (date_to) builder.andWhere(`${column} < ${endOf(':date_to', ':zone')}`, { date_to, zone });
}

/**
 * Counters have days of UTC: those that are whole in the wanted ones count; the rows at the edges are counted apart.
 *
 * @param column time of the rows
 * @param parameter adds a value to the statement
 */
export function countedDayConditions(
  query: DaysQuery,
  column: string,
  parameter: (value: string) => string,
): DayConditions {
  const { date_from, date_to } = query;
  const conditions: DayConditions = { where: [], tallied: [], edges: [] };
  if (date_from === undefined && date_to === undefined) return conditions;
  const { where, tallied, edges } = conditions;
  const zone = `${parameter(timeZoneOfQuery(query))}::text`;
  let firstWhole = '';
  if (date_from !== undefined) {
    const begin = beginOf(parameter(date_from), zone);
    firstWhole = `date_trunc('day', ${begin} + interval '1 day' - interval '1 microsecond')`;
    where.push(`${column} >= ${begin}`);
    tallied.push(`day >= ${firstWhole}`);
    edges.push(`${column} < ${firstWhole}`);
  }
  if (date_to !== undefined) {
    const end = endOf(parameter(date_to), zone);
    const lastWhole = `date_trunc('day', ${end})`;
    where.push(`${column} < ${end}`);
    tallied.push(`day < ${lastWhole}`);
    edges.push(`${column} >= ${firstWhole === '' ? lastWhole : `greatest(${firstWhole}, ${lastWhole})`}`);
  }
  return conditions;
}
