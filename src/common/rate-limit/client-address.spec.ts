import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { clientAddress, networkOf } from './client-address.js';
import { KeyedCounter } from './keyed-counter.js';

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
])('knows %s', (_what, address, expected) => {
  expect(address).toBe(expected);
});

it('counts the network of an IPv6 address', () => {
  expect(networkOf('2001:db8:1:2:3::4')).toBe('8193:3512:1:2');
  expect(networkOf('::ffff:1.2.3.4')).toBe('1.2.3.4');
});

it('lets so many pass in a minute, of each', () => {
  const counter = new KeyedCounter(2);
  expect([counter.secondsLeft('a'), counter.secondsLeft('a'), counter.secondsLeft('b')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(counter.secondsLeft('a')).toBeGreaterThan(0);
});
