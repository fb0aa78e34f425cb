import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import { parseCarrierForm, type CarrierForm } from './twilio/carrier-form.js';
import { SIGNATURE_HEADER } from './twilio/twilio-signature.service.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BYTES = 64 * 1024;

/**
 * Reads the carrier's form-encoded bodies, at most 64 KiB, under `/telephony/` and nowhere else: the API takes JSON
 * only, and the carrier's routes take nothing but forms. What cannot be the carrier's is refused before its body is
 * read. Replaces the framework's own parser; the application is created with `bodyParser: false`.
 */
export function registerTelephony(fastify: FastifyInstance): void {
  if (fastify.hasContentTypeParser(FORM)) fastify.removeContentTypeParser(FORM);
  fastify.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: MAX_BYTES },
    (_request: FastifyRequest, body: string, done) => {
      let form: CarrierForm;
      try {
        form = parseCarrierForm(body);
      } catch (error) {
        return done(error as Error);
      }
      done(null, form);
    },
  );
  fastify.addHook('onRequest', async (request) => {
    const { headers } = request;
    if (isCarrierRoute(request)) {
      if (headers['content-type'] !== undefined && !isForm(request)) throw unsupported();
      if (!headers[SIGNATURE_HEADER]) throw new ApiError(403, 'Forbidden');
    }
  });
  // After authentication: a request without a token gets 401, with any body.
  fastify.addHook('preParsing', async (request) => {
    if (isForm(request) && !isCarrierRoute(request)) throw unsupported();
  });
}

/** By the matched route: the request line may be encoded, or hold a whole URL. */
const isCarrierRoute = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.startsWith('/telephony/') ?? false;

const isForm = ({ headers }: FastifyRequest): boolean =>
  /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');

const unsupported = (): ApiError => new ApiError(415, 'Unsupported Media Type');
