import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

interface PageSources {
  styles?: string[];
  fonts?: string[];
  images?: string[];
  media?: string[];
  workers?: string[];
  /** Addresses that the page's scripts may ask, besides its own origin. */
  connect?: string[];
}

/** Security headers for the pages of one scope: their own scripts only, and in nobody's frame. */
export async function securePages(
  scope: FastifyInstance,
  { styles = [], fonts = [], images = [], media, workers, connect = [] }: PageSources = {},
): Promise<void> {
  await scope.register(helmet, {
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
}
