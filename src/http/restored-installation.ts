import type { FastifyInstance } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';

/** Seconds: an operator has to act. */
const RETRY_AFTER = '60';

/** The database was restored, and no operator has released it. */
class InstallationRestored extends ApiError {
  constructor() {
    super(
      503,
      'The service was restored from a backup and only shows data until its operator releases it.',
      {},
      { 'Retry-After': RETRY_AFTER },
    );
  }
}

const READS = /^(GET|HEAD|OPTIONS)$/;
/** Reports of the carrier are facts, and new calls get a busy tone. */
const OF_CARRIER = /^\/telephony\//;

/**
 * Refuses requests that change something while the database is a restored one, except with `allowedWhenRestored`: what
 * an operator may need before the release.
 */
export function refuseChangesWhenRestored(fastify: FastifyInstance, isHeld: () => boolean): void {
  fastify.addHook('onRequest', async ({ method, url, routeOptions }) => {
    if (!isHeld() || READS.test(method) || OF_CARRIER.test(url)) return;
    if (!routeOptions.config.allowedWhenRestored) throw new InstallationRestored();
  });
}
