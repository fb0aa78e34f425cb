import { parse } from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import { callsRoutes } from './calls.routes.js';
import { messagesRoutes } from './messages.routes.js';
import type { Network } from './network.js';
import { numbersRoutes } from './numbers.routes.js';
import { recordingStorage, recordingsRoutes } from './recordings.routes.js';
import { restAuth } from './rest-auth.js';
import { RestError } from './rest-error.js';

const ACCOUNT = '/2010-04-01/Accounts/:accountSid';

/** The carrier's REST API of 2010-04-01, limited to calls, recordings, messages and numbers. */
export function restApi(app: FastifyInstance, network: Network): void {
  const { accountSid } = network;

  app.register(
    async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: 64 * 1024 },
        (_request, body, done) => done(null, parse(String(body))),
      );
      scope.setErrorHandler((error, _request, reply) => {
        const shown = error instanceof RestError ? error : new RestError(20001);
        return reply.code(shown.status).send(shown.toBody());
      });
      scope.setNotFoundHandler(() => {
        throw new RestError(20404);
      });
      scope.addHook('onRequest', restAuth(accountSid, network.authToken));
      // An empty form has no content type, and therefore no body.
      scope.addHook('preHandler', async (request) => {
        request.body ??= {};
      });
      callsRoutes(scope, network);
      messagesRoutes(scope, network);
      numbersRoutes(scope, network);
      recordingsRoutes(scope, network);
    },
    { prefix: ACCOUNT },
  );
  recordingStorage(app, network);
}
