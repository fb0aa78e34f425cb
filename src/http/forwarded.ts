import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A header of the response of `/health/live`, for `doctor`: the request's `X-Forwarded-For` was ignored. */
export const FORWARDED_IGNORED = 'x-forwarded-for-ignored';

/**
 * Reports when `X-Forwarded-For` comes from a peer that `TRUSTED_PROXIES` does not name: then all clients of a proxy
 * have the proxy's address, and share the limits of one address. Once in the log of a process, and to `doctor`.
 */
export function logUntrustedProxies(fastify: FastifyInstance): void {
  const logger = new Logger('TrustedProxies');
  let isTold = false;
  fastify.addHook('onRequest', async (request, reply) => {
    if (isIgnored(request)) {
      if (!isTold)
        logger.warn(`X-Forwarded-For of ${request.socket.remoteAddress} is ignored: see TRUSTED_PROXIES`);
      isTold = true;
      if (request.routeOptions.url === '/health/live') reply.header(FORWARDED_IGNORED, 'true');
    }
  });
}

/** Of a trusted peer the addresses are those that it names besides its own. */
const isIgnored = ({ headers, ips }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined && (ips === undefined || ips.length < 2);
