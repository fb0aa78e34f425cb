import { parse } from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import { callsRoutes } from './calls.routes.js';
import type { Form } from './form.js';
import { messagesRoutes } from './messages.routes.js';
import type { Network } from './network.js';
import { pageOf } from './page.js';
import { silentWav } from './recording-audio.js';
import { restAuth } from './rest-auth.js';
import { RestError } from './rest-error.js';

const ACCOUNT = '/2010-04-01/Accounts/:accountSid';
const AUDIO = /^(RE[0-9a-f]{32})(\.wav)?$/;

/** The carrier's REST API of 2010-04-01, as far as calls, recordings, messages and numbers go. */
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
      // An empty form has no content type, and so no body.
      scope.addHook('preHandler', async (request) => {
        request.body ??= {};
      });
      callsRoutes(scope, network);
      messagesRoutes(scope, network);
      // The sandbox has no numbers of its own: any number may be called from, or be called.
      scope.get<{ Querystring: Form }>('/IncomingPhoneNumbers.json', async ({ query }) =>
        pageOf(
          'incoming_phone_numbers',
          [],
          `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers.json`,
          query,
        ),
      );
    },
    { prefix: ACCOUNT },
  );

  // Audio is fetched without credentials: the unguessable name is the secret, as the carrier has it.
  app.get<{ Params: { file: string } }>(`${ACCOUNT}/Recordings/:file`, async ({ params }, reply) => {
    const sid = AUDIO.exec(params.file)?.[1];
    const known = network.calls().some(({ recordings }) => recordings.some((one) => one.sid === sid));
    if (!known) return reply.code(404).send(new RestError(20404).toBody());
    return reply.type('audio/x-wav').send(silentWav());
  });
}
