import ipaddr from 'ipaddr.js';

/** Of the longest range: an IPv6 address in eight groups with the length of its prefix. */
export const MAX_RANGE_LENGTH = 43;

/** Of one API key. */
export const MAX_RANGES = 20;

const IPV4 = /^[\d.]+$/;
const IPV6 = /^[\da-f:]+$/i;

/**
 * Whether this is an IPv4 or IPv6 address, or a CIDR range of them. IPv4 in IPv6 is refused: clients are compared by
 * their IPv4 address.
 */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const isIpv4 = IPV4.test(address) && ipaddr.IPv4.isValidFourPartDecimal(address);
  if (rest.length > 0 || !(isIpv4 || isIpv6(address))) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIpv4 ? 32 : 128));
}

const isIpv6 = (text: string): boolean =>
  IPV6.test(text) && ipaddr.IPv6.isValid(text) && !ipaddr.IPv6.parse(text).isIPv4MappedAddress();

/** @param ranges addresses and CIDR ranges */
export function isInRanges(ip: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), -1];
    const length = bits < 0 ? (network.kind() === 'ipv4' ? 32 : 128) : bits;
    return address.kind() === network.kind() && address.match(network, length);
  });
}

/** One spelling for each address; null: it is none. */
export const readAddress = (ip: string): string | null =>
  ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : null;
