import type { Random } from '../support/random.js';

export const oneOf = <T>(random: Random, list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  '0',
  '1',
  '5',
  '-1',
  '1e9',
  '0x10',
  'true',
  'null',
  'NaN',
  '\u0000',
  '\ud800',
  '\u202e\u{1f600}',
  'é'.repeat(300),
  'a'.repeat(300),
  'a'.repeat(5_000),
  '+14155552671',
  '+1900555',
  '(415) 555-2671',
  '+999999999999999999',
  'Europe/Berlin',
  'eUrope/bErlin',
  'Mars/Base',
  '2026-02-30 25:61:00',
  '2026-01-01',
  '24:00',
  'http://127.0.0.1:9/a',
  'http://[::1]:9/%00',
  'javascript:1',
  "' OR 1=1 --",
  '{{customer_phone}}',
  '../../etc/passwd',
  '<script>',
  '%s%n',
  [],
  {},
  [null],
  [[]],
  [{}],
  [1, 'a', null],
  { a: { b: { c: {} } } },
  { length: 5 },
  { toString: 1 },
  { constructor: { prototype: {} } },
  { $gt: '' },
];

export const oddValue = (random: Random): unknown =>
  random() < 0.05 ? nested(Math.floor(random() * 40)) : oneOf(random, ODD);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'account_id',
  '',
  'a.b',
  '0',
  'a\u0000',
  'k'.repeat(300),
];

/** The body with a few of its values, keys or parts changed. */
export function mutateBody(body: Record<string, unknown>, random: Random): unknown {
  let mutated: Record<string, unknown> = structuredClone(body);
  for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
    const keys = Object.keys(mutated);
    const key = keys.length > 0 ? oneOf(random, keys) : 'a';
    const kind = random();
    if (kind < 0.6) mutated[key] = oddValue(random);
    else if (kind < 0.7) delete mutated[key];
    else if (kind < 0.8) mutated[key] = [mutated[key], oddValue(random)];
    else if (kind < 0.9) mutated = { ...mutated, [oneOf(random, KEYS)]: oddValue(random) };
    else mutated[key] = { [oneOf(random, KEYS)]: mutated[key] };
  }
  return random() < 0.01 ? oddValue(random) : mutated;
}
