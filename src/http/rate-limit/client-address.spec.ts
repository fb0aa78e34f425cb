import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { clientAddress } from './client-address.js';

const from = (remoteAddress: string, forwarded?: string) =>
  clientAddress(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    ['10.0.0.0/8', '::1/128'],
  );

it.each([
  ['a direct client', from('203.0.113.5'), '203.0.113.5'],
  ['a client that names another one', from('203.0.113.5', '198.51.100.1'), '203.0.113.5'],
  ['a client behind a proxy', from('10.0.0.2', '203.0.113.5'), '203.0.113.5'],
  [
    'behind two, with an invented first one',
    from('::ffff:10.0.0.2', '1.2.3.4, 203.0.113.5, 10.1.1.1'),
    '203.0.113.5',
  ],
  ['a proxy alone', from('::1'), '::1'],
])('recognises %s', (_what, address, expected) => {
  expect(address).toBe(expected);
});
