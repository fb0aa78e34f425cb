import { first, type Form } from './form.js';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

/** One page of a list in the carrier's envelope; links keep the filters of the request. */
export function pageOf<T, K extends string>(key: K, items: readonly T[], path: string, query: Form) {
  const size = clamp(Number(first(query, 'PageSize') ?? DEFAULT_PAGE_SIZE), 1, MAX_PAGE_SIZE);
  const page = clamp(Number(first(query, 'Page') ?? 0), 0, Number.MAX_SAFE_INTEGER);
  const start = page * size;
  const shown = items.slice(start, start + size);
  const link = (number: number) => {
    const params = new URLSearchParams(withoutArrays(query));
    params.set('PageSize', String(size));
    params.set('Page', String(number));
    return `${path}?${params}`;
  };
  return {
    page,
    page_size: size,
    start,
    end: Math.max(start, start + shown.length - 1),
    uri: link(page),
    first_page_uri: link(0),
    previous_page_uri: page > 0 ? link(page - 1) : null,
    next_page_uri: start + size < items.length ? link(page + 1) : null,
    ...({ [key]: shown } as Record<K, T[]>),
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Number.isInteger(value) ? value : min));
}

function withoutArrays(query: Form): Record<string, string> {
  return Object.fromEntries(Object.keys(query).map((name) => [name, first(query, name) ?? '']));
}
