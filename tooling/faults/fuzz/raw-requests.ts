import type { Random } from '../support/random.js';
import { oneOf } from './odd-values.js';

export interface RawRequest {
  /** Groups problems in the report. */
  route: string;
  bytes: Buffer;
}

const TARGETS = [
  '/api/user/me',
  '/api/user/leads?per_page=1',
  '/api/user/calls',
  '/api/user/sms',
  '/api/user/assistants/get?page=1',
  '/api/user/webhook-deliveries',
  '/api/us%65r/me',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs//etc/passwd',
  '/telephony/incoming',
  '/telephony/relay/a',
  '/health/live',
  '/%',
  '/%ff',
  '//',
  '*',
  'a',
  'http://a/api/user/me',
  'http://a b/api/user/me',
  '/\u0000',
  `/${'a'.repeat(20_000)}`,
];
const METHODS = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'X',
  '',
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '', 'HTTP/1.1 x'];
const HOSTS = [
  'Host: a',
  'Host: a',
  'Host: a b',
  'Host:',
  'Host: a\r\nHost: b',
  'Host: [::1',
  'Host: a:99999',
  'Host: é',
  '',
];
const HEADERS = [
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: chunked\r\nContent-Length: 5',
  'Expect: 100-continue',
  'Expect: a',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Connection: close',
  'Connection: keep-alive',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: multipart/form-data; boundary=',
  'Content-Type: \u0000',
  'X-Forwarded-Proto: a b',
  'X-Forwarded-Proto: https, http',
  'X-Forwarded-Host: a b',
  'X-Forwarded-For: ::',
  'X-Request-Id: a\tb',
  'Accept: ;',
  ': a',
  'a',
  ' a: b',
  `X: ${'a'.repeat(20_000)}`,
];
const BODIES = [
  '',
  '',
  'hello',
  '{"a":1}',
  '{"a":{"toString":1}}',
  '{"CallSid":{"toString":1},"CallStatus":["a"]}',
  '5\r\nhello\r\n0\r\n\r\n',
  '5\r\nhel',
  'zz\r\nhello\r\n',
  'ffffffffffffffff\r\na',
  '0\r\nX: y\r\n\r\n',
  'CallSid=CA1&CallStatus=ringing&CallSid=CA2',
];

/** Malformed or unusual HTTP. */
export function rawRequest(token: string, random: Random): RawRequest {
  const kind = random();
  if (kind < 0.06) return { route: 'noise', bytes: noise(random) };
  const one = message(token, random);
  // Pipelining.
  if (kind < 0.2)
    return { ...one, bytes: Buffer.concat([one.bytes, message(token, random).bytes, one.bytes]) };
  // Truncated at a random position.
  if (kind < 0.3) return { ...one, bytes: one.bytes.subarray(0, Math.floor(random() * one.bytes.length)) };
  return one;
}

function message(token: string, random: Random): RawRequest {
  const target = oneOf(random, TARGETS);
  const method = random() < 0.6 ? oneOf(random, ['GET', 'POST']) : oneOf(random, METHODS);
  const lines = [`${method} ${target} ${oneOf(random, VERSIONS)}`, oneOf(random, HOSTS)];
  if (random() < 0.7) lines.push(`Authorization: Bearer ${token}`);
  for (let count = Math.floor(random() * 4); count > 0; count--) lines.push(oneOf(random, HEADERS));
  if (random() < 0.5) lines.push('Connection: close');
  const end = random() < 0.95 ? '\r\n' : '\n';
  const head = lines.filter(Boolean).join(end);
  return {
    route: `raw ${method} ${target.slice(0, 60)}`,
    bytes: Buffer.from(`${head}${end}${end}${oneOf(random, BODIES)}`, 'latin1'),
  };
}

const noise = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: 1 + Math.floor(random() * 500) }, () => Math.floor(random() * 256)));

/** A shell command that repeats the bytes. */
export const asPrintf = ({ bytes }: RawRequest, token: string, port: number): string =>
  `printf %b ${JSON.stringify(bytes.toString('latin1').slice(0, 1_000).replaceAll(token, '$TOKEN'))} | nc 127.0.0.1 ${port}`;
