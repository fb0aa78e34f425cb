/** The search parameters of the address are texts: `?page=2&status=failed`. */
export type ListSearch<F extends string = never> = { page?: number; per_page?: number } & Partial<
  Record<F, string>
>;

/** For `validateSearch` of a list's route: `page`, `per_page` and the named filters. */
export function listSearch<const F extends string>(...filters: F[]) {
  return (raw: Record<string, unknown>): ListSearch<F> => {
    const search: Record<string, unknown> = {};
    for (const name of filters)
      if (typeof raw[name] === 'string' && raw[name] !== '') search[name] = raw[name];
    for (const name of ['page', 'per_page']) {
      const number = Number(raw[name]);
      if (Number.isInteger(number) && number > 0) search[name] = number;
    }
    return search as ListSearch<F>;
  };
}

export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
