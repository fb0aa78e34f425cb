import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UnexpectedFailure } from './api-error.js';
import { describeError, toErrorAnswer } from './error-answer.js';

/** The one place where errors become HTTP answers. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const answer = toErrorAnswer(error);
    if (answer.unexpected) {
      const route = request.routeOptions?.url ?? 'unknown route';
      this.logger.error(
        `${request.method} ${route} failed (request ${request.id})`,
        describeError(reasonOf(error)),
      );
    }
    // A streamed answer that breaks in the middle has its headers out: all that is left is to cut it.
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    // A route may have announced something else, such as the carrier's XML.
    void reply.status(answer.status).type('application/json').headers(answer.headers).send(answer.body);
  }
}

const reasonOf = (error: unknown): unknown => (error instanceof UnexpectedFailure ? error.cause : error);
