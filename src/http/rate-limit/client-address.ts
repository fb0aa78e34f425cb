import type { IncomingMessage } from 'node:http';
import { isInRanges } from '#src/common/address-ranges.js';

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
  return known.find((hop) => !isInRanges(hop, trustedProxies)) ?? known.at(-1) ?? '';
}
