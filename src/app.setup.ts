import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { isWellFormedToken } from './auth/access-tokens.service.js';
import { authenticateRequests, BearerGuard } from './auth/bearer.guard.js';
import { needsToken } from './auth/auth.decorators.js';
import { answersApi, type RuntimeSettings } from './config/runtime-settings.js';
import { ApiErrorFilter } from './http/errors/api-error.filter.js';
import { fastifyOptions } from './http/fastify-options.js';
import { InFlightLimiterService, limitInFlight } from './http/in-flight/in-flight-limiter.service.js';
import { IdempotencyService } from './http/idempotency/idempotency.service.js';
import { workOnceOnKeys } from './http/idempotency/keyed-requests.js';
import { IGNORED_FIELDS_HEADER, nameIgnoredFields } from './http/ignored-fields.js';
import { cutSlowReaders, onlyHealth, registerRequestHooks } from './http/request-hooks.js';
import { noticeUntrustedProxies } from './http/forwarded.js';
import { registerJsonBody } from './http/json-body.js';
import { registerMultipart } from './http/multipart.js';
import { logRequestIds } from './common/logging/log-context.js';
import { DatabaseOutageService } from './common/persistence/database-outage.service.js';
import { limitPublicRequests } from './http/rate-limit/limit-public-requests.js';
import { traceRequests } from './http/trace-requests.js';
import { limitAccounts, limitRequests } from './http/rate-limit/limit-requests.js';
import { ApiValidationPipe } from './http/api-validation.pipe.js';
import { registerTelephony } from './modules/telephony/register-telephony.js';
import { serveConsole } from './console.js';
import { serveDocs } from './docs.js';
import { serveGuide } from './guide.js';
import { servePages } from './pages.js';

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

/** The Nest application, for the service, commands and tests. */
export async function createApp(
  settings: RuntimeSettings,
  logger: LoggerService | false,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter(fastifyOptions(settings.http));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(settings), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  const fastify = app.getHttpAdapter().getInstance();
  const { apiPrefix, corsOrigins, publicUrl, rateLimitPerMinute: perMinute } = settings.http;
  fastify.decorate('publicUrl', publicUrl);
  logRequestIds(fastify);
  if (settings.tracing.isOn) traceRequests(fastify);
  registerRequestHooks(fastify);
  noticeUntrustedProxies(fastify);
  if (!answersApi(settings)) onlyHealth(fastify);
  registerJsonBody(fastify);
  registerTelephony(fastify);
  await registerMultipart(fastify);
  await limitRequests(fastify, {
    perMinute,
    redisUrl: settings.redisUrl,
    counts: needsToken,
    isToken: isWellFormedToken,
  });
  authenticateRequests(fastify, app.get(BearerGuard));
  limitAccounts(fastify, { perMinute });
  limitInFlight(fastify, app.get(InFlightLimiterService), ({ grant }) => grant?.accountId ?? null);
  const outage = app.get(DatabaseOutageService);
  workOnceOnKeys(fastify, app.get(IdempotencyService), (error) => outage.report(error));
  limitPublicRequests(fastify, { perMinute: settings.http.publicRateLimitPerMinute });
  nameIgnoredFields(fastify);
  cutSlowReaders(fastify);
  const prefix = apiPrefix.slice(1);
  if (prefix)
    app.setGlobalPrefix(prefix, {
      exclude: ['health/*path', 'metrics', 'telephony/*path', 'recordings/*path'],
    });
  if (corsOrigins.length > 0) app.enableCors({ origin: corsOrigins, ...CORS });
  app.useGlobalPipes(new ApiValidationPipe());
  app.useGlobalFilters(new ApiErrorFilter(outage));
  await serveDocs(app, settings);
  await servePages(app, settings);
  await serveConsole(fastify, settings.http);
  await serveGuide(fastify, settings.http);
  await serveQueueBoard(app, fastify, settings);
  return app;
}

/** Imported only with `OPERATOR_TOKEN` and Redis. */
async function serveQueueBoard(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  { http, redisUrl }: RuntimeSettings,
): Promise<void> {
  if (http.operatorToken === null || redisUrl === null) return;
  const { registerQueueBoard } = await import('./queue/queue-board.js');
  await registerQueueBoard(app, fastify, http.operatorToken);
}
