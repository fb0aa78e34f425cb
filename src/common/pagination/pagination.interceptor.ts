import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { toEnvelope } from './envelope.js';
import { Page } from './page.js';

/** Renders every `Page` that a handler returns as the contract's envelope. */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next
      .handle()
      .pipe(map((result: unknown) => (result instanceof Page ? toEnvelope(result, urlOf(request)) : result)));
  }
}

function urlOf(request: FastifyRequest): URL {
  return new URL(request.originalUrl, `${request.protocol}://${request.host}`);
}
