import { isDeepStrictEqual } from 'node:util';
import type { ColumnOptions } from 'typeorm';

/** Options of a 64-bit column that the driver returns as text and the code uses as `bigint`. */
export const bigintColumn = (options: ColumnOptions = {}): ColumnOptions => ({
  ...options,
  type: 'bigint',
  transformer: {
    from: (text: string | null) => (text === null ? null : BigInt(text)),
    to: (value?: bigint | null) => value?.toString(),
  },
});

type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

export type CamelKeys<T> = { [K in keyof T as Camel<K> & string]?: T[K] };

/** `{max_retries: 3}` → `{maxRetries: 3}`: the given fields of a request as the entity names them. */
export function camelKeys<T extends object>(fields: T): CamelKeys<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [toCamel(name), value])) as CamelKeys<T>;
}

/** Those of the columns whose values differ from the row's. */
export const selectChangedColumns = <T extends object>(columns: Partial<T>, row: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !isDeepStrictEqual(value, row[name as keyof T])),
  ) as Partial<T>;

const toCamel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
