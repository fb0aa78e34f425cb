import { offsetOf, type PageRequest } from '#src/common/pagination/page.js';

/** Conditions of a list of calls; `$1` is the account. */
export interface CallFilter {
  where: string;
  /** The same conditions on `call_tallies`; null where its rows do not tell the calls apart. */
  tallied: string | null;
  values: unknown[];
}

/** What the statement of a page returns. */
export interface CallPage {
  /** Of all pages. */
  total: number;
  /** Newest first. */
  ids: number[];
}

/** Up to this offset, skipping index entries takes less time than adding up the counters of each day. */
const SHALLOW = 500;

export const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC';

/**
 * The statement that counts the calls and reads the ids of one page. It is one, so that both are of the same moment,
 * and ids come without their rows, so that it scans an index only. Its text is the same for all pages, or one of two.
 */
export function pageStatement(
  { where, tallied, values }: CallFilter,
  page: PageRequest,
): { text: string; values: unknown[] } {
  const offset = offsetOf(page);
  const limitParameter = `$${values.length + 1}::int`;
  const offsetParameter = `$${values.length + 2}::int`;
  const text = (offset > SHALLOW ? deepPage : shallowPage)(where, tallied, limitParameter, offsetParameter);
  return { text, values: [...values, page.per_page, offset] };
}

/** How many calls there are from the offset on limits the scan: it ends at the last one instead of the index's end. */
function shallowPage(where: string, tallied: string | null, limit: string, offset: string): string {
  const count =
    tallied === null
      ? `SELECT count(*)::int AS total FROM calls WHERE ${where}`
      : `SELECT coalesce(sum(n), 0)::int AS total FROM call_tallies WHERE ${tallied}`;
  return `
    SELECT total, ARRAY(SELECT id FROM calls WHERE ${where} ${NEWEST_FIRST}
                         LIMIT ${lengthOf(limit, offset)} OFFSET ${offset}) AS ids
      FROM (${count}) counted`;
}

/**
 * The scan begins at the nearer end of the days that the page's calls are of, so that it skips at most half of the
 * calls of these days: a page takes long only where one day has very many calls. Without counters all calls are
 * taken for those of one day.
 */
function deepPage(where: string, tallied: string | null, limit: string, offset: string): string {
  const page = `${where}${tallied === null ? '' : ' AND created_at >= place.oldest AND created_at < place.newest + 1'}`;
  const placed = tallied === null ? placedByCount(where, offset) : placedByDays(tallied, limit, offset);
  return `
    WITH ${placed},
    place AS (SELECT *, ${lengthOf(limit, offset)} AS length FROM placed)
    SELECT total, CASE
      WHEN rest - length < newer THEN ARRAY(
        SELECT id FROM (SELECT id, created_at FROM calls WHERE ${page}
                         ORDER BY created_at, id LIMIT place.length OFFSET greatest(rest - length, 0)) page
         ${NEWEST_FIRST})
      ELSE ARRAY(SELECT id FROM calls WHERE ${page} ${NEWEST_FIRST} LIMIT place.length OFFSET greatest(newer, 0))
    END AS ids FROM place`;
}

/**
 * `oldest` and `newest`: days of the page's calls. `newer`: calls of these days before the page. `rest`: calls of these
 * days from the page's first on. `until`: calls of this day and of newer ones.
 */
const placedByDays = (tallied: string, limit: string, offset: string): string => `
    days AS (SELECT day, sum(n) AS n FROM call_tallies WHERE ${tallied} GROUP BY day),
    counted AS (SELECT day, n, sum(n) OVER (ORDER BY day DESC) AS until FROM days),
    marked AS (SELECT *, until > ${offset} AND until - n < ${offset} + ${limit} AS in_page FROM counted),
    placed AS (
      SELECT coalesce(sum(n), 0)::int AS total,
             min(day) FILTER (WHERE in_page) AS oldest,
             max(day) FILTER (WHERE in_page) AS newest,
             (${offset} - min(until - n) FILTER (WHERE in_page))::int AS newer,
             (max(until) FILTER (WHERE in_page) - ${offset})::int AS rest
        FROM marked)`;

const placedByCount = (where: string, offset: string): string => `
    placed AS (
      SELECT count(*)::int AS total, ${offset} AS newer, (count(*) - ${offset})::int AS rest
        FROM calls WHERE ${where})`;

/** Calls of the page: fewer than the limit on the last one, none behind it. */
const lengthOf = (limit: string, offset: string): string => `greatest(least(${limit}, total - ${offset}), 0)`;
