import { pageOffset, type PageRequest } from './page.js';

/** A list whose rows triggers count by day. */
export interface CountedList {
  /** FROM clause of the rows, with the columns `id` and `created_at`. */
  rows: string;
  /** Table of the counters, with the columns `day` (in UTC) and `n`. */
  counters: string;
}

/** Conditions of a list. */
export interface CountedListFilter {
  where: string;
  /** The same conditions on the counters; null where the counters lack the columns. */
  tallied: string | null;
  /** Further conditions on rows that the counters of `tallied` leave out; a row meets at most one of them. */
  edges?: string[];
  values: unknown[];
}

/** The result of a page's statement. */
export interface CountedPage {
  /** Of all pages. */
  total: number;
  /** Newest first. */
  ids: number[];
}

/** Up to this offset, skipping index entries takes less time than adding up the counters of each day. */
const SHALLOW = 500;

type Statement = CountedList & Omit<CountedListFilter, 'values'> & Record<'limit' | 'offset', string>;

export const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/**
 * Builds the statement that counts the rows and reads the ids of one page. One statement reads both at the same
 * moment, and ids without rows need an index only. Its text is the same for all pages, or one of two.
 */
export function countedPageStatement(
  list: CountedList,
  { values, ...filter }: CountedListFilter,
  page: PageRequest,
): { text: string; values: unknown[] } {
  const offset = pageOffset(page);
  const parameters = { limit: `$${values.length + 1}::int`, offset: `$${values.length + 2}::int` };
  const text = (offset > SHALLOW ? deepPage : shallowPage)({ ...list, ...filter, ...parameters });
  return { text, values: [...values, page.per_page, offset] };
}

/** Rows by day of UTC, as `day` and `n`. */
function tallies({ rows, counters, where, tallied, edges = [] }: Statement): string {
  const whole = `SELECT day, n FROM ${counters} WHERE ${tallied}`;
  const others = edges.map(
    (edge) =>
      `SELECT (created_at AT TIME ZONE 'UTC')::date, count(*) FROM ${rows} WHERE ${where} AND ${edge} GROUP BY 1`,
  );
  return `(${[whole, ...others].join(' UNION ALL ')}) tallies`;
}

/** How many rows there are from the offset on limits the scan: it ends at the last one instead of the index's end. */
function shallowPage(statement: Statement): string {
  const { rows, where, tallied, offset } = statement;
  const count =
    tallied === null
      ? `SELECT count(*)::int AS total FROM ${rows} WHERE ${where}`
      : `SELECT coalesce(sum(n), 0)::int AS total FROM ${tallies(statement)}`;
  return `
    SELECT total, ARRAY(SELECT id FROM ${rows} WHERE ${where} ${NEWEST_FIRST}
                         LIMIT ${lengthOf(statement)} OFFSET ${offset}) AS ids
      FROM (${count}) counted`;
}

/**
 * The scan begins at the nearer end of the days that the page's rows are of, so that it skips at most half of the
 * rows of these days: a page takes long only where one day has very many rows. Without counters all rows are
 * taken for those of one day.
 */
function deepPage(statement: Statement): string {
  const { rows, where, tallied } = statement;
  const page = `${where}${tallied === null ? '' : ' AND created_at >= place.oldest AND created_at < place.newest + 1'}`;
  const placed = tallied === null ? placedByCount(statement) : placedByDays(statement);
  return `
    WITH ${placed},
    place AS (SELECT *, ${lengthOf(statement)} AS length FROM placed)
    SELECT total, CASE
      WHEN rest - length < newer THEN ARRAY(
        SELECT id FROM (SELECT id, created_at FROM ${rows} WHERE ${page}
                         ORDER BY created_at, id LIMIT place.length OFFSET greatest(rest - length, 0)) page
         ${NEWEST_FIRST})
      ELSE ARRAY(SELECT id FROM ${rows} WHERE ${page} ${NEWEST_FIRST} LIMIT place.length OFFSET greatest(newer, 0))
    END AS ids FROM place`;
}

/**
 * `oldest` and `newest`: days of the page's rows. `newer`: rows of these days before the page. `rest`: rows of these
 * days from the page's first on. `until`: rows of this day and of newer ones.
 */
const placedByDays = (statement: Statement): string => {
  const { limit, offset } = statement;
  return `
    days AS (SELECT day, sum(n) AS n FROM ${tallies(statement)} GROUP BY day),
    counted AS (SELECT day, n, sum(n) OVER (ORDER BY day DESC) AS until FROM days),
    marked AS (SELECT *, until > ${offset} AND until - n < ${offset} + ${limit} AS in_page FROM counted),
    placed AS (
      SELECT coalesce(sum(n), 0)::int AS total,
             min(day) FILTER (WHERE in_page) AS oldest,
             max(day) FILTER (WHERE in_page) AS newest,
             (${offset} - min(until - n) FILTER (WHERE in_page))::int AS newer,
             (max(until) FILTER (WHERE in_page) - ${offset})::int AS rest
        FROM marked)`;
};

const placedByCount = ({ rows, where, offset }: Statement): string => `
    placed AS (
      SELECT count(*)::int AS total, ${offset} AS newer, (count(*) - ${offset})::int AS rest
        FROM ${rows} WHERE ${where})`;

/** Rows of the page: fewer than the limit on the last one, none behind it. */
const lengthOf = ({ limit, offset }: Statement): string => `greatest(least(${limit}, total - ${offset}), 0)`;
