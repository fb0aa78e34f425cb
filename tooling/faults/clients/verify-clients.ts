import { isDeepStrictEqual } from 'node:util';

/** A client's request and its result. */
export interface ClientObservation {
  /** Route and habit. */
  what: string;
  status: number;
  /** The status of the same request as the documentation writes it. */
  wanted: number;
  /** The resource after the request, and after the documented request. Both undefined: no resource. */
  shown?: unknown;
  expected?: unknown;
}

/** Differ between two of a kind. */
const OWN = new Set(['id', 'uuid', 'created_at', 'updated_at']);

/** The kind of problem, without values, so that equal ones can be counted; null without one. */
export function clientProblem({ what, status, wanted, shown, expected }: ClientObservation): string | null {
  if (status !== wanted) return `${what}: ${status} instead of ${wanted}`;
  const field = difference(shown, expected);
  return field === null ? null : `${what}: ${field} differs`;
}

/** Path of the first value that differs; null: none. */
function difference(shown: unknown, expected: unknown, path = 'the answer'): string | null {
  if (!isObject(shown) || !isObject(expected)) return isDeepStrictEqual(shown, expected) ? null : path;
  for (const key of new Set([...Object.keys(shown), ...Object.keys(expected)])) {
    const found = difference(shown[key], expected[key], key);
    if (found !== null) return found;
  }
  return null;
}

/** Without the fields that differ between two resources of the same content. */
export function contentOf(resource: unknown, without: readonly string[] = []): unknown {
  if (Array.isArray(resource)) return resource.map((item) => contentOf(item, without));
  if (!isObject(resource)) return resource;
  const entries = Object.entries(resource).filter(([key]) => !OWN.has(key) && !without.includes(key));
  // The client's own content, whatever its keys.
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'variables' ? value : contentOf(value, without)]),
  );
}

/** The rows whose number a filter with this part of a number must find. */
export const withPart = <Row extends { phone_number: string }>(rows: readonly Row[], part: string): Row[] =>
  rows.filter(({ phone_number }) => phone_number.includes(part));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
