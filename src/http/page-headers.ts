import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

export interface CspSources {
  styles?: string[];
  fonts?: string[];
  images?: string[];
  media?: string[];
  workers?: string[];
  /** Addresses to which the page's scripts may connect, besides its own origin. */
  connect?: string[];
}

/** Routes of pages call `reply.helmet(pageHeaders(…))`; responses of the API have no headers of pages. */
export async function registerPageHeaders(fastify: FastifyInstance): Promise<void> {
  await fastify.register(helmet, { global: false });
}

/** Security headers of a page: its own scripts only, and in nobody's frame. */
export const pageHeaders = ({
  styles = [],
  fonts = [],
  images = [],
  media,
  workers,
  connect = [],
}: CspSources): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", ...styles],
      'img-src': ["'self'", 'data:', ...images],
      'font-src': ["'self'", ...fonts],
      ...(media && { 'media-src': ["'self'", ...media] }),
      ...(workers && { 'worker-src': ["'self'", ...workers] }),
      'connect-src': ["'self'", ...connect],
      'base-uri': ["'self'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  // Whether the address is https only is known to the proxy in front, not here.
  strictTransportSecurity: false,
});
