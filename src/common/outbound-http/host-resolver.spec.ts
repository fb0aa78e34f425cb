import { describe, expect, it } from '@jest/globals';
import { findHostsFileAddresses } from './host-resolver.js';

const HOSTS = [
  '# a comment with receiver.lan',
  '',
  '127.0.0.1\tlocalhost',
  '  10.0.0.5   receiver.lan  Receiver-Alias # 10.0.0.6 other.lan',
  'fd00::5 receiver.lan\r',
].join('\n');

describe('findHostsFileAddresses', () => {
  it.each([
    ['receiver.lan', ['10.0.0.5', 'fd00::5']],
    ['RECEIVER.LAN.', ['10.0.0.5', 'fd00::5']],
    ['receiver-alias', ['10.0.0.5']],
    ['other.lan', []],
    ['10.0.0.5', []],
    ['', []],
  ])('%s', (name, addresses) => expect(findHostsFileAddresses(HOSTS, name)).toEqual(addresses));
});
