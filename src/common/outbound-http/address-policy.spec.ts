import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address-policy.js';

describe('AddressPolicy', () => {
  const closed = new AddressPolicy([]);

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '168.63.129.15',
    '168.63.129.17',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450::1',
    '2003::1',
  ])('permits %s, next to a blocked range', (address) => expect(closed.permits(address)).toBe(true));

  it.each(['8.8', '08.8.8.8', '0x8.8.8.8', '[2606:4700::1111]', '8.8.8.8/32', 'example.com', ' 8.8.8.8', ''])(
    'does not permit "%s", an unusual spelling of an address',
    (address) => expect(closed.permits(address)).toBe(false),
  );

  it.each(['::8.8.8.8', '::808:808', '0:0:0:0:0:0:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1'])(
    'does not permit %s: public IPv4 embedded in an IPv6 address',
    (address) => expect(closed.permits(address)).toBe(false),
  );

  it('permits the first and last address of an allowed range, and none outside', () => {
    const policy = new AddressPolicy(['10.1.0.0/16', 'fd00:1::/32']);
    expect(
      ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', 'fd00:1::', 'fd00:1:ffff::1'].every((a) =>
        policy.permits(a),
      ),
    ).toBe(true);
    expect(
      ['10.0.255.255', '10.2.0.0', 'fd00:2::', 'fd00::1', '::10.1.2.3'].some((a) => policy.permits(a)),
    ).toBe(false);
  });
});
