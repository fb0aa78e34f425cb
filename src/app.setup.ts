import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { answersApi, type RuntimeSettings } from './config/runtime-settings.js';
import { ApiErrorFilter } from './common/errors/api-error.filter.js';
import { fastifyOptions } from './common/http/fastify-options.js';
import { registerJsonBody } from './common/http/json-body.js';
import { registerMultipart } from './common/http/multipart.js';
import { onlyHealth } from './common/http/only-health.js';
import { logRequestIds } from './common/logging/log-request-ids.js';
import { limitRequests } from './common/rate-limit/limit-requests.js';
import { PaginationInterceptor } from './common/pagination/pagination.interceptor.js';
import { ApiValidationPipe } from './common/validation/api-validation.pipe.js';
import { registerTelephony } from './modules/telephony/register-telephony.js';
import { serveDocs } from './openapi.js';

/** The application as it answers requests: the same for `main.ts`, the commands and the tests. */
export async function createApp(
  settings: RuntimeSettings,
  logger: LoggerService | false,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter(fastifyOptions());
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(settings), adapter, {
    logger,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  const fastify = app.getHttpAdapter().getInstance();
  logRequestIds(fastify);
  registerJsonBody(fastify);
  registerTelephony(fastify);
  await registerMultipart(fastify);
  fastify.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  if (!answersApi(settings)) onlyHealth(fastify);
  const { apiPrefix, rateLimitPerMinute: perMinute } = settings.http;
  limitRequests(fastify, { perMinute, redisUrl: settings.redisUrl, path: `${apiPrefix}/user/` });
  const prefix = apiPrefix.slice(1);
  if (prefix) app.setGlobalPrefix(prefix, { exclude: ['health/*path', 'metrics', 'telephony/*path'] });
  if (settings.http.corsOrigins.length > 0) app.enableCors({ origin: settings.http.corsOrigins });
  app.useGlobalPipes(new ApiValidationPipe());
  app.useGlobalFilters(new ApiErrorFilter());
  app.useGlobalInterceptors(new PaginationInterceptor());
  serveDocs(app, settings);
  await serveQueueBoard(app, fastify, settings);
  return app;
}

/** Loaded only where an operator asked for it. */
async function serveQueueBoard(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  { http, redisUrl }: RuntimeSettings,
): Promise<void> {
  if (http.operatorToken === null || redisUrl === null) return;
  const { registerQueueBoard } = await import('./queue/queue-board.js');
  await registerQueueBoard(app, fastify, http.operatorToken);
}
