import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The client's address of a request without a route, as Fastify has it for routes: the last address of
 * `X-Forwarded-For` that is not a proxy of ours, and without one the peer's.
 *
 * @param trustedProxies CIDR ranges
 */
export function clientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const named = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const hops = [request.socket.remoteAddress ?? '', ...named.map((hop) => hop.trim()).reverse()];
  const known = hops.filter((hop) => hop !== '');
  return known.find((hop) => !isOneOf(hop, trustedProxies)) ?? known.at(-1) ?? '';
}

function isOneOf(ip: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), -1];
    const length = bits < 0 ? (network.kind() === 'ipv4' ? 32 : 128) : bits;
    return address.kind() === network.kind() && address.match(network, length);
  });
}
