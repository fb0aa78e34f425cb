import type { AccountResources } from '../../../test/support/route.types.js';
import type { Endpoint } from '../support/api-surface.js';
import type { Random } from '../support/random.js';
import { mutateBody, oddValue, oneOf } from './odd-values.js';

export interface FuzzRequest {
  route: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: string;
}

const TYPES = [
  'application/json; charset=utf-8',
  'application/JSON',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'x',
  '',
];
const PREFIXES = ['', '/', '//', '/%2e%2e', '/api/../'];
const ODD_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['idempotency-key', 'key-1'],
  ['idempotency-key', 'a'.repeat(300)],
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['x-request-id', 'a b'],
  ['x-forwarded-for', '1.2.3.4, ::1, x'],
  ['x-forwarded-proto', 'gopher'],
  ['x-forwarded-host', 'a b'],
  ['origin', 'null'],
  ['range', 'bytes=0-0'],
  ['if-none-match', '*'],
  ['content-encoding', 'gzip'],
  ['accept-encoding', 'gzip, br, x'],
  ['last-event-id', 'x'],
  ['x-twilio-signature', 'x'],
];

/** An almost valid request. */
export function fuzzRequest(endpoint: Endpoint, resources: AccountResources, random: Random): FuzzRequest {
  const headers: Record<string, string> = { ...authorization(resources, random) };
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(endpoint.method);
  const body = reads && random() < 0.95 ? '' : bodyOf(endpoint, resources, random, headers);
  if (random() < 0.15) {
    const [name, value] = oneOf(random, ODD_HEADERS);
    headers[name] = value;
  }
  const method =
    random() < 0.02 ? oneOf(random, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) : endpoint.method;
  return { route: endpoint.name, method, target: targetOf(endpoint, resources, random), headers, body };
}

function authorization({ account }: AccountResources, random: Random): Record<string, string> {
  const kind = random();
  if (kind < 0.86) return { authorization: `Bearer ${account.token}` };
  if (kind < 0.93) return {};
  return {
    authorization: oneOf(random, [
      'Bearer',
      'Bearer x',
      'Basic eDp4',
      `bearer  ${account.token} `,
      'a'.repeat(2_000),
    ]),
  };
}

function targetOf(endpoint: Endpoint, resources: AccountResources, random: Random): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random() < 0.2) return encode(oddValue(random));
    return name === 'id' ? String(endpoint.id(resources)) : 'a';
  });
  const odd = random() < 0.03 ? `${oneOf(random, PREFIXES)}${path}` : path;
  const names = endpoint.query.filter(() => random() < 0.3);
  if (names.length === 0 && random() < 0.95) return odd;
  const value = (): string =>
    random() < 0.4 ? oneOf(random, ['1', '2', '15', 'created', '2026-01-01']) : encode(oddValue(random));
  const pairs = [...names, ...(random() < 0.1 ? ['page', 'page', 'a[b]', '__proto__'] : [])].map(
    (name) => `${name}=${value()}`,
  );
  return `${odd}?${pairs.join('&')}`;
}

function bodyOf(
  endpoint: Endpoint,
  resources: AccountResources,
  random: Random,
  headers: Record<string, string>,
): string {
  const mutated = mutateBody(endpoint.body(resources), random);
  const kind = random();
  if (endpoint.path.startsWith('/telephony') && kind < 0.8) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    return `CallSid=CA1&CallStatus=${encode(oddValue(random))}&a=${encode(oddValue(random))}`;
  }
  if (endpoint.takesForm && kind < 0.8) {
    headers['content-type'] = 'multipart/form-data; boundary=b';
    return formOf(resources, random);
  }
  const type = kind < 0.92 ? 'application/json' : oneOf(random, TYPES);
  if (type !== '') headers['content-type'] = type;
  const text = JSON.stringify(mutated);
  if (random() < 0.97) return text;
  return oneOf(random, [
    '',
    '{',
    'null',
    '[]',
    '"a"',
    '\u0000',
    text.slice(0, text.length / 2),
    `${text}${text}`,
    '{"a":1,"a":2}',
  ]);
}

function formOf(resources: AccountResources, random: Random): string {
  const part = (head: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const cell = (): string => decodeURIComponent(encode(oddValue(random))).slice(0, 200);
  const rows = Array.from({ length: Math.floor(random() * 6) }, () => `${cell()},${cell()}`);
  const head = oneOf(random, [
    'phone_number,name',
    'phone_number',
    'name',
    '',
    'phone_number,phone_number',
    '"',
  ]);
  const campaign = random() < 0.9 ? String(resources.ids.campaign) : cell();
  const file = part('name="file"; filename="a.csv"', [head, '+14155552671,a', ...rows].join('\n'));
  return `${part('name="campaign_id"', campaign)}${random() < 0.95 ? file : ''}${random() < 0.95 ? '--b--\r\n' : ''}`;
}

/** Encodes a value for a path or a query. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed().slice(0, 1_000));
}

/** A curl command that repeats the request, without the token. */
export function asCurl(base: string, { method, target, headers, body }: FuzzRequest): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const shown = Object.entries(headers).map(([name, value]) => {
    const text = name === 'authorization' && value.length > 40 ? 'Bearer $TOKEN' : value;
    return `-H ${quoted(`${name}: ${text}`.slice(0, 200))}`;
  });
  const data = body === '' ? [] : ['--data-binary', quoted(body.slice(0, 1_500))];
  return ['curl', '-X', method, ...shown, ...data, quoted(base + target)].join(' ');
}
