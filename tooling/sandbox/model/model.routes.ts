import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ProviderDesk } from '../providers/provider-speech.js';
import { audioRoutes } from './audio.routes.js';
import { CHAT_REQUEST_SCHEMA, type ChatRequest } from './chat-request.js';
import { sameText } from '../same-text.js';
import { chatStream, FIRST_TOKEN_MS } from './chat-stream.js';
import { completion, newHead } from './completion.js';
import { EMBEDDINGS_REQUEST_SCHEMA, embeddingsAnswer, type EmbeddingsRequest } from './embeddings.js';
import { FirstRequests } from './first-requests.js';
import { ModelError } from './model-error.js';
import { decide } from './policy.js';
import { quirksOf } from './quirks.js';
import { refuseWrong } from './rules.js';

/** Each with its end date, from the provider's list. */
const MODELS: Record<string, string | null> = {
  'sandbox-scripted': null,
  'gpt-6-luna': null,
  'gpt-6-sol': null,
  'gpt-5.6-luna': null,
  'gpt-4o': '2027-01-14',
  'gpt-4o-mini': '2027-01-14',
  'gpt-4.1': '2027-01-14',
  'gpt-4.1-mini': '2027-01-14',
  'gpt-5-mini': '2026-12-11',
  'gpt-realtime-2.1': null,
  'gpt-realtime-2.1-mini': null,
  'gpt-realtime': '2027-01-20',
  'gpt-realtime-mini': '2027-01-20',
  'gpt-transcribe': null,
  'gpt-4o-mini-tts': '2027-01-06',
  'openai/gpt-oss-120b': null,
  'mistral-small-latest': null,
};

/** A model with OpenAI's interface under `/v1`; the same script responds for every chat model. */
export function modelRoutes(app: FastifyInstance, apiKey: string, desk: ProviderDesk): void {
  const requests = new FirstRequests();
  app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => authenticate(request, apiKey));
      scope.setErrorHandler((error, _request, reply) => {
        const shown = ModelError.from(error);
        if (shown.retryAfter !== null) reply.header('retry-after', shown.retryAfter);
        return reply.code(shown.status).send(shown.toBody());
      });
      scope.setNotFoundHandler((request) => {
        throw new ModelError(404, `Unknown request URL: ${request.method} ${request.url}.`, 'unknown_url');
      });

      await scope.register(audioRoutes, { desk });

      scope.get('/models', async () => ({ object: 'list', data: Object.entries(MODELS).map(modelJson) }));

      scope.post<{ Body: EmbeddingsRequest }>(
        '/embeddings',
        { schema: { body: EMBEDDINGS_REQUEST_SCHEMA } },
        async ({ body }) => embeddingsAnswer(body),
      );

      scope.post<{ Body: ChatRequest }>(
        '/chat/completions',
        { schema: { body: CHAT_REQUEST_SCHEMA } },
        async ({ body }, reply) => {
          refuseWrong(body);
          if (quirksOf(body.model).has('busy') && requests.isFirst(body.messages)) throw ModelError.tooMany();
          const decision = decide(body);
          const head = newHead(body.model);
          if (body.stream === true) {
            const gone = new AbortController();
            reply.raw.once('close', () => gone.abort());
            const events = Readable.from(chatStream(head, body, decision, gone.signal), {
              objectMode: false,
            });
            return reply.type('text/event-stream; charset=utf-8').send(events);
          }
          await sleep(FIRST_TOKEN_MS);
          return completion(head, body, decision);
        },
      );
    },
    { prefix: '/v1' },
  );
}

function authenticate(request: FastifyRequest, apiKey: string): void {
  const known = sameText(request.headers.authorization ?? '', `Bearer ${apiKey}`);
  if (!known) throw new ModelError(401, 'Incorrect API key provided.', 'invalid_api_key');
}

function modelJson([id, shutdown_date]: [string, string | null]) {
  return { id, object: 'model', created: 1_735_689_600, owned_by: 'sandbox', shutdown_date };
}
