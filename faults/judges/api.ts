import type { ApiAnswer } from '../support/api.js';

/** A request that a client repeated under one key until it was answered, and then again. */
export interface Write {
  account: number;
  kind: string;
  /** What only this request's rows have: a number, a name or a text. */
  markers: string[];
  /** In the order in which they came. */
  answers: ApiAnswer[];
}

export interface ApiObservations {
  writes: Write[];
  /** How many rows have a marker, by `countKey`. */
  rows: Map<string, number>;
  /** How often the carrier was asked for it: calls and messages. */
  carried: Map<string, number>;
}

export const countKey = (kind: string, account: number, marker: string): string =>
  `${kind} ${marker} of account ${account}`;

/** Kinds that reach the carrier. */
const CARRIED = new Set(['call', 'sms']);

/** What is acknowledged exists once, and its key gives the same answer for ever. */
export function judgeApi({ writes, rows, carried }: ApiObservations): string[] {
  return writes.flatMap(({ account, kind, markers, answers }) => {
    const name = countKey(kind, account, markers[0] ?? '');
    const [first, ...again] = answers;
    if (!first) return [`${name} was never answered`];
    const problems = [
      ...(first.status < 300 ? [] : [`${name} was answered ${first.status} ${first.text}`]),
      ...again
        .filter(({ status, text }) => status !== first.status || text !== first.text)
        .map(
          ({ status, text }) => `${name} was answered ${status} ${text} after ${first.status} ${first.text}`,
        ),
      ...(again.every(({ replayed }) => replayed) ? [] : [`${name} was worked on again after its answer`]),
    ];
    const expected = first.status < 300 ? 1 : 0;
    for (const marker of markers) {
      const key = countKey(kind, account, marker);
      const count = rows.get(key) ?? 0;
      if (count !== expected) problems.push(`${key} exists ${count} times instead of ${expected}`);
      const reached = carried.get(key) ?? 0;
      if (CARRIED.has(kind) && reached > expected)
        problems.push(`${key} reached the carrier ${reached} times`);
    }
    return problems;
  });
}
