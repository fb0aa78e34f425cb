import type { FastifyInstance } from 'fastify';
import type { Network } from './carrier/network.js';
import type { ProviderDesk } from './providers/provider-speech.js';
import { controlAuth, type ControlSecrets } from './control-auth.js';
import { traitRoutes } from './traits/trait.routes.js';

interface InboundBody {
  from: string;
  to: string;
  /** The four digits of a callee, e.g. `0025`. */
  persona?: string;
  voice_url?: string;
}

interface ConfigBody {
  voice_url?: string | null;
  status_callback?: string | null;
  fallback_url?: string | null;
}

/** Also a withheld caller number, in the notation of networks. */
const CALLER = { type: 'string', pattern: '^(\\+[1-9]\\d{6,14}|[Aa]nonymous|)$' };
const NUMBER = { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' };
const URL_OR_NULL = { type: 'string', nullable: true, pattern: '^https?://' };

export interface ControlParts {
  network: Network;
  desk: Pick<ProviderDesk, 'syntheses'>;
}

/**
 * Functions without an equivalent at a carrier: inbound calls on demand, the journal, the traits of lines, and the URLs
 * of the account's numbers.
 */
export function controlRoutes(
  app: FastifyInstance,
  parts: ControlParts,
  secrets: ControlSecrets,
  host: string,
): void {
  app.get('/health', async () => ({ status: 'ok' }));
  app.register(async (scope) => {
    scope.addHook('onRequest', controlAuth(secrets, host));
    protectedRoutes(scope, parts);
  });
}

function protectedRoutes(app: FastifyInstance, { network, desk }: ControlParts): void {
  const config = () => ({
    voice_url: network.voiceUrl,
    status_callback: network.statusCallback,
    fallback_url: network.fallbackUrl,
  });

  app.get<{ Querystring: { sid?: string } }>('/journal', async ({ query }) =>
    network.journal
      .all()
      // The state of calls is available in the REST API.
      .filter(({ kind, sid }) => kind !== 'call' && (query.sid === undefined || sid === query.sid)),
  );

  /** The texts sent to the speech providers. */
  app.get('/syntheses', async () => desk.syntheses);

  traitRoutes(app, network.traits);

  app.get('/config', async () => config());

  app.put<{ Body: ConfigBody }>(
    '/config',
    {
      schema: {
        body: {
          type: 'object',
          properties: { voice_url: URL_OR_NULL, status_callback: URL_OR_NULL, fallback_url: URL_OR_NULL },
        },
      },
    },
    async ({ body }) => {
      if (body.voice_url !== undefined) network.voiceUrl = body.voice_url;
      if (body.status_callback !== undefined) network.statusCallback = body.status_callback;
      if (body.fallback_url !== undefined) network.fallbackUrl = body.fallback_url;
      return config();
    },
  );

  app.post<{ Body: InboundBody }>(
    '/inbound',
    {
      schema: {
        body: {
          type: 'object',
          required: ['from', 'to'],
          properties: {
            from: CALLER,
            to: NUMBER,
            persona: { type: 'string' },
            voice_url: { type: 'string', pattern: '^https?://' },
          },
        },
      },
    },
    async ({ body }, reply) => {
      const bought = network.numbers.withNumber(body.to);
      const voiceUrl = body.voice_url ?? (bought ? bought.voiceUrl : network.voiceUrl);
      if (voiceUrl === null) {
        return reply.code(409).send({ message: 'No voice URL: set one with PUT /config or in voice_url.' });
      }
      const digits = body.persona?.padStart(4, '0');
      return { sid: network.receiveCall(body.from, body.to, voiceUrl, digits).sid };
    },
  );
}
