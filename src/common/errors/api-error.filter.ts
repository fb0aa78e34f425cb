import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnexpectedFailure } from './api-error.js';
import { describeError } from './describe-error.js';
import { toErrorAnswer } from './error-answer.js';
import { isDatabaseAway, isContention, reasonOf } from '../persistence/database-unavailable.js';

/** The one place where errors become HTTP answers. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  /** @param outage receives errors of an unavailable database, which it logs once and not per request */
  constructor(private readonly outage: { report(error: unknown): boolean } = { report: isDatabaseAway }) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const answer = toErrorAnswer(error);
    const route = request.routeOptions?.url ?? 'unknown route';
    if (isContention(error)) {
      this.logger.warn(`${request.method} ${route} was ended by the database (${reasonOf(error)})`);
    } else if (!this.outage.report(error) && answer.unexpected) {
      this.logger.error(
        `${request.method} ${route} failed (request ${request.id})`,
        describeError(causeOf(error)),
      );
    }
    // The headers of a streamed response have been sent: the connection is closed.
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    // A route may have announced something else, such as the carrier's XML.
    void reply
      .status(answer.status)
      .type('application/json')
      .headers(answer.headers)
      .send(bodyFor(request, answer.body));
  }
}

function bodyFor({ routeOptions }: FastifyRequest, body: Record<string, unknown>): Record<string, unknown> {
  return routeOptions?.config.answersStatus ? { status: false, ...body, error: body['message'] } : body;
}

const causeOf = (error: unknown): unknown => (error instanceof UnexpectedFailure ? error.cause : error);
