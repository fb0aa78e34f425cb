import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#src/common/errors/api-error.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { toErrorResponse, type ErrorResponse } from './error-response.js';
import {
  isDatabaseUnavailable,
  isContentionError,
  databaseErrorCode,
} from '#src/common/persistence/database-unavailable.js';

/** Converts all errors to HTTP responses. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  /** @param outage receives errors of an unavailable database, which it logs once and not per request */
  constructor(
    private readonly outage: { reportOutage(error: unknown): boolean } = {
      reportOutage: isDatabaseUnavailable,
    },
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const answer = toErrorResponse(error);
    const route = request.routeOptions?.url ?? 'unknown route';
    if (isContentionError(error)) {
      this.logger.warn(`${request.method} ${route} was ended by the database (${databaseErrorCode(error)})`);
    } else if (!this.outage.reportOutage(error) && answer.unexpected) {
      this.logger.error(`${request.method} ${route} failed (request ${request.id})`, describeError(error));
    }
    // The headers of a streamed response have been sent: the connection is closed.
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    // `@Header()` of the route has been applied: another type, or its cache lifetime.
    void reply
      .status(answer.status)
      .type('application/json')
      .headers({ 'cache-control': 'no-store', ...answer.headers })
      .send(bodyFor(request, error, answer));
  }
}

function bodyFor(
  { routeOptions }: FastifyRequest,
  error: unknown,
  { body, unexpected }: ErrorResponse,
): Record<string, unknown> {
  const { failure, answersStatus } = routeOptions?.config ?? {};
  const isFailure = failure !== undefined && unexpected && !(error instanceof ApiError);
  const said = isFailure ? { message: failure } : body;
  return answersStatus ? { status: false, ...said, error: said['message'] } : said;
}
