import type { FastifyRequest } from 'fastify';

/** The envelope of the first page of a list. */
export function firstPage<T>(request: FastifyRequest, data: T[], total: number, perPage: number) {
  const path = `${request.protocol}://${request.host}${request.url}`;
  const last = Math.max(1, Math.ceil(total / perPage));
  const urlOf = (page: number): string => `${path}?page=${page}`;
  const next = last > 1 ? urlOf(2) : null;
  return {
    current_page: 1,
    data,
    first_page_url: urlOf(1),
    from: data.length === 0 ? null : 1,
    last_page: last,
    last_page_url: urlOf(last),
    links: [
      { url: null, label: '&laquo; Previous', active: false },
      ...shown(last).map((page) =>
        page === 0
          ? { url: null, label: '...', active: false }
          : { url: urlOf(page), label: String(page), active: page === 1 },
      ),
      { url: next, label: 'Next &raquo;', active: false },
    ],
    next_page_url: next,
    path,
    per_page: perPage,
    prev_page_url: null,
    to: data.length === 0 ? null : data.length,
    total,
  };
}

/** Page numbers of the links; 0 is an ellipsis. */
function shown(last: number): number[] {
  if (last < 14) return Array.from({ length: last }, (_, index) => index + 1);
  return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, last - 1, last];
}
