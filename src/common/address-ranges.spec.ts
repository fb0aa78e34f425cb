import { expect, it } from '@jest/globals';
import { isAddressRange, isInRanges, MAX_RANGE_LENGTH, readAddress } from './address-ranges.js';

it.each([
  '203.0.113.7',
  '203.0.113.0/24',
  '203.0.113.7/24',
  '0.0.0.0/0',
  '2001:db8::1',
  '2001:DB8::/32',
  '::/0',
  '::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128',
])('%s is an address or a range', (text) => {
  expect(isAddressRange(text)).toBe(true);
  expect(text.length).toBeLessThanOrEqual(MAX_RANGE_LENGTH);
});

it.each([
  '',
  '203.0.113',
  '203.0.113.256',
  '0x7f.0.0.1',
  '10',
  '203.0.113.0/33',
  '203.0.113.0/',
  '203.0.113.0/24/24',
  '203.0.113.0/-1',
  '2001:db8::/129',
  '2001:db8:::1',
  'fe80::1%eth0',
  '::ffff:203.0.113.7',
  '::ffff:cb00:7107/128',
  'example.com',
  ' 203.0.113.7',
])('"%s" is none', (text) => expect(isAddressRange(text)).toBe(false));

it.each([
  ['203.0.113.7', ['203.0.113.7'], true],
  ['203.0.113.8', ['203.0.113.7'], false],
  ['203.0.113.8', ['198.51.100.0/24', '203.0.113.0/24'], true],
  ['203.0.113.8', ['203.0.113.9/24'], true],
  ['203.0.114.8', ['203.0.113.0/24'], false],
  ['::ffff:203.0.113.8', ['203.0.113.0/24'], true],
  ['2001:db8:0:1::9', ['2001:db8::/32'], true],
  ['2001:db9::9', ['2001:db8::/32'], false],
  ['203.0.113.8', ['::/0'], false],
  ['2001:db8::1', ['0.0.0.0/0'], false],
  ['unknown', ['0.0.0.0/0', '::/0'], false],
  ['203.0.113.8', [], false],
])('%s in %j: %s', (ip, ranges, expected) => expect(isInRanges(ip, ranges)).toBe(expected));

it('an address has one spelling', () => {
  expect(['203.0.113.7', '::ffff:203.0.113.7', '2001:DB8:0::1', 'unknown'].map(readAddress)).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    '2001:db8::1',
    null,
  ]);
});
