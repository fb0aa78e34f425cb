import ipaddr from 'ipaddr.js';

/** Of an IPv6 address: one client has all addresses of such a network. */
const NETWORK_PARTS = 4;

/** What an address is counted by: one key for all spellings of it, and for all addresses of an IPv6 network (/64). */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : (address as ipaddr.IPv6).parts.slice(0, NETWORK_PARTS).join(':');
}
