import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The range of public IPv6 addresses (IANA). ::/96, NAT64, local and reserved ranges are outside of it. */
const GLOBAL_UNICAST_V6: Range = ipaddr.parseCIDR('2000::/3');

/** Public by number, yet answered inside a virtual machine's own host: Azure's platform address. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/** ipaddr.js takes `::8.8.8.8` for the IPv4 address in it; the network does not. */
const IPV4_COMPATIBLE = /^::\d+\./;

/**
 * Decides which addresses a user's URL may lead to: public unicast, plus the ranges that the operator opened.
 * Ranges that carry an IPv4 address inside an IPv6 one (6to4, Teredo, NAT64) are shut as a whole, because a
 * gateway would unwrap them behind our back. Ports are not judged: a public address is public on each of them.
 */
export class AddressPolicy {
  private readonly opened: readonly Range[];

  /** Throws an Error that names the entry which is not a CIDR range. */
  constructor(allowCidrs: readonly string[]) {
    this.opened = allowCidrs.map(parseRange);
  }

  /** False for anything that is not an address in its usual spelling. */
  permits(address: string): boolean {
    if (isIP(address) === 0 || IPV4_COMPATIBLE.test(address)) return false;
    // IPv4-mapped IPv6 is the same destination as the IPv4 address in it.
    const target = ipaddr.process(address);
    return this.opened.some((range) => contains(range, target)) || isPublic(target);
  }
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || PLATFORM_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_UNICAST_V6, address);
}

function contains([network, bits]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function parseRange(cidr: string): Range {
  if (!ipaddr.isValidCIDR(cidr)) throw new Error(`"${cidr}" is not a CIDR range such as 10.0.0.0/8`);
  return ipaddr.parseCIDR(cidr);
}
