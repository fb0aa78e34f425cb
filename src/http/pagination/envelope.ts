import type { Page, PageLink } from './page.js';

export interface PaginationEnvelope<T> {
  current_page: number;
  data: T[];
  first_page_url: string;
  from: number | null;
  last_page: number;
  last_page_url: string;
  links: PageLink[];
  next_page_url: string | null;
  path: string;
  per_page: number;
  prev_page_url: string | null;
  to: number | null;
  total: number;
  /** Of lists that can be read from a place on. */
  next_cursor?: string | null;
  prev_cursor?: string | null;
}

/**
 * Laravel's length-aware paginator; `url` is that of the request, its filters are kept in every link. A page that was
 * requested by a cursor has the number of the page of its first row, and is followed by cursors.
 */
export function toPaginationEnvelope<T>(page: Page<T>, url: URL): PaginationEnvelope<T> {
  const { per_page: perPage } = page.request;
  const { cursors } = page;
  const before = cursors?.before ?? (page.request.page - 1) * perPage;
  const current = Math.floor(before / perPage) + 1;
  const last = Math.max(1, Math.ceil(page.total / perPage));
  const first = before + 1;
  const empty = page.items.length === 0;
  const linkTo = linksOf(url);
  const urlOf = (number: number): string => linkTo('page', String(number));
  let previous = current > 1 ? urlOf(current - 1) : null;
  let next = current < last ? urlOf(current + 1) : null;
  if (cursors && cursors.before !== null) {
    previous = cursors.previous && linkTo('cursor', cursors.previous);
    next = cursors.next && linkTo('cursor', cursors.next);
  }
  return {
    ...(cursors && { next_cursor: cursors.next, prev_cursor: cursors.previous }),
    current_page: current,
    data: page.items,
    first_page_url: urlOf(1),
    from: empty ? null : first,
    last_page: last,
    last_page_url: urlOf(last),
    links: [
      { url: previous, label: '&laquo; Previous', active: false },
      ...pageWindow(current, last).map((number) =>
        number === null
          ? { url: null, label: '...', active: false }
          : { url: urlOf(number), label: String(number), active: number === current },
      ),
      { url: next, label: 'Next &raquo;', active: false },
    ],
    next_page_url: next,
    path: url.origin + url.pathname,
    per_page: perPage,
    prev_page_url: previous,
    to: empty ? null : first + page.items.length - 1,
    total: page.total,
  };
}

/** Renders the query once, not for every link: it may be as long as a request's headers. */
function linksOf({
  origin,
  pathname,
  searchParams,
}: URL): (name: 'page' | 'cursor', value: string) => string {
  const given = [...searchParams];
  const isPageParameter = ([name]: [string, string]): boolean => name === 'page' || name === 'cursor';
  const others = given.filter((parameter) => !isPageParameter(parameter));
  const index = given.findIndex(isPageParameter);
  const place = index === -1 ? others.length : index;
  const before = new URLSearchParams(others.slice(0, place)).toString();
  const after = new URLSearchParams(others.slice(place)).toString();
  return (name, value) =>
    `${origin}${pathname}?${[before, `${name}=${value}`, after].filter((part) => part !== '').join('&')}`;
}

const EACH_SIDE = 3;

/** Page numbers to show, null for a gap: all of a short list, else a slider with both ends. */
export function pageWindow(current: number, last: number): (number | null)[] {
  if (last < EACH_SIDE * 2 + 8) return range(1, last);
  const wide = EACH_SIDE + 4;
  const start = [1, 2, null];
  const finish = [null, last - 1, last];
  if (current <= wide) return [...range(1, wide + EACH_SIDE), ...finish];
  if (current > last - wide) return [...start, ...range(last - (wide + EACH_SIDE) + 1, last)];
  return [...start, ...range(current - EACH_SIDE, current + EACH_SIDE), ...finish];
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
