import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import fastifyStatic from '@fastify/static';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { isWellFormedToken } from './auth/access-tokens.service.js';
import { requiresAuthentication } from './auth/auth.decorators.js';
import { authenticateRequests, BearerGuard } from './auth/bearer.guard.js';
import { logRequestIds } from './common/logging/log-context.js';
import { DatabaseOutageService } from './common/persistence/database-outage.service.js';
import { RestoreGateService } from './database/restore-gate.service.js';
import { servesApi, type RuntimeSettings } from './config/runtime-settings.js';
import { ApiValidationPipe } from './http/api-validation.pipe.js';
import { ApiErrorFilter } from './http/errors/api-error.filter.js';
import { fastifyOptions } from './http/fastify-options.js';
import { logUntrustedProxies } from './http/forwarded.js';
import { IdempotencyService } from './http/idempotency/idempotency.service.js';
import { enforceIdempotency } from './http/idempotency/keyed-requests.js';
import { IGNORED_FIELDS_HEADER, reportIgnoredFields } from './http/ignored-fields.js';
import { InFlightLimiterService, limitInFlight } from './http/in-flight/in-flight-limiter.service.js';
import { registerJsonBody } from './http/json-body.js';
import { registerMultipart } from './http/multipart.js';
import { registerPageHeaders } from './http/page-headers.js';
import { limitPublicRequests } from './http/rate-limit/limit-public-requests.js';
import { limitAccountRequests, limitRequests } from './http/rate-limit/limit-requests.js';
import { refuseChangesWhenRestored } from './http/restored-installation.js';
import { disconnectSlowReaders, restrictToHealth, registerRequestHooks } from './http/request-hooks.js';
import { traceRequests } from './http/trace-requests.js';
import { registerTelephony } from './modules/telephony/register-telephony.js';
import { ApiDocumentService } from './pages/api-document.service.js';
import { EncryptionKeyRing } from './secrets/encryption-key-ring.js';
import { keyedHashes } from './secrets/keyed-hash.js';

/** For the origins in `CORS_ORIGINS`. */
const CORS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
  exposedHeaders: [
    'Idempotent-Replayed',
    IGNORED_FIELDS_HEADER,
    'Retry-After',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAge: 600,
  // The strict check answers with plain text.
  strictPreflight: false,
};

/** Routes without `API_PREFIX`. */
const WITHOUT_PREFIX = [
  '/',
  'console',
  'console/*path',
  'docs',
  'docs/*path',
  'docs-json',
  'docs-yaml',
  'embed.js',
  'guide',
  'guide/*path',
  'health/*path',
  'metrics',
  'recordings/*path',
  'telephony/*path',
  'widget-preview/*path',
];

/** The Nest application, for the service, commands and tests. */
export async function createApp(
  settings: RuntimeSettings,
  logger: LoggerService | false,
): Promise<NestFastifyApplication> {
  const { corsOrigins } = settings.http;
  const adapter = new FastifyAdapter(fastifyOptions(settings.http));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  await registerPipeline(app, settings);
  setApiPrefix(app, settings.http);
  if (corsOrigins.length > 0) app.enableCors({ origin: corsOrigins, ...CORS });
  app.useGlobalPipes(new ApiValidationPipe());
  app.useGlobalFilters(new ApiErrorFilter(app.get(DatabaseOutageService)));
  app.get(ApiDocumentService).setApplication(app);
  await serveQueueBoard(app, settings);
  return app;
}

export function setApiPrefix(
  app: NestFastifyApplication,
  { apiPrefix }: Pick<RuntimeSettings['http'], 'apiPrefix'>,
): void {
  if (apiPrefix) app.setGlobalPrefix(apiPrefix.slice(1), { exclude: WITHOUT_PREFIX });
}

/** What every request passes before its handler. Hooks of one kind run in the order of these lines. */
async function registerPipeline(app: NestFastifyApplication, settings: RuntimeSettings): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  const { publicUrl, rateLimitPerMinute: perMinute, publicRateLimitPerMinute } = settings.http;
  const outage = app.get(DatabaseOutageService);
  const gate = app.get(RestoreGateService);
  fastify.decorate('publicUrl', publicUrl);
  // Names and refusals that need nothing of the request but its head.
  logRequestIds(fastify);
  if (settings.tracing.isOn) traceRequests(fastify);
  registerRequestHooks(fastify);
  logUntrustedProxies(fastify);
  if (!servesApi(settings)) restrictToHealth(fastify);
  // Readers of bodies.
  registerJsonBody(fastify);
  registerTelephony(fastify);
  await registerMultipart(fastify);
  // Who sends it, and how much of it.
  await limitRequests(fastify, {
    perMinute,
    redisUrl: settings.redisUrl,
    counts: requiresAuthentication,
    isToken: isWellFormedToken,
  });
  authenticateRequests(fastify, app.get(BearerGuard));
  refuseChangesWhenRestored(fastify, () => gate.isHeld);
  limitAccountRequests(fastify, { perMinute });
  limitInFlight(fastify, app.get(InFlightLimiterService), ({ grant }) => grant?.accountId ?? null);
  enforceIdempotency(fastify, {
    keys: app.get(IdempotencyService),
    hashesOf: keyedHashes(app.get(EncryptionKeyRing), 'requests'),
    isOutage: (error) => outage.reportOutage(error),
  });
  limitPublicRequests(fastify, { perMinute: publicRateLimitPerMinute });
  // The response.
  reportIgnoredFields(fastify);
  disconnectSlowReaders(fastify);
  await registerPageHeaders(fastify);
  await fastify.register(fastifyStatic, { serve: false, preCompressed: true });
}

/** Imported only with `OPERATOR_TOKEN` and Redis. */
async function serveQueueBoard(
  app: NestFastifyApplication,
  { http, redisUrl }: RuntimeSettings,
): Promise<void> {
  if (http.operatorToken === null || redisUrl === null) return;
  const { registerQueueBoard } = await import('./queue/queue-board.js');
  await registerQueueBoard(app, app.getHttpAdapter().getInstance(), http.operatorToken);
}
