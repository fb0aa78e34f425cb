import type { FastifyInstance } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import { parseCarrierForm } from './carrier-form.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BYTES = 64 * 1024;

/**
 * Reads the carrier's form-encoded bodies, at most 64 KiB, under `/telephony/` and nowhere else: the API
 * takes JSON only. Replaces the framework's own parser; the application is
 * created with `bodyParser: false`.
 */
export function registerTelephony(fastify: FastifyInstance): void {
  if (fastify.hasContentTypeParser(FORM)) fastify.removeContentTypeParser(FORM);
  fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_BYTES }, (request, body, done) => {
    if (!request.url.startsWith('/telephony/')) return done(new ApiError(415, 'Unsupported Media Type'));
    done(null, parseCarrierForm(body.toString()));
  });
}
