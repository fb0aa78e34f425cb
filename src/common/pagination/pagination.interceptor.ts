import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { toEnvelope } from './envelope.js';
import { Page } from './page.js';

/**
 * Renders every `Page` that a handler returns as the contract's envelope. Its links begin with `PUBLIC_URL`: headers
 * such as `Host` and `X-Forwarded-Proto` are the caller's.
 */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(private readonly publicUrl: string) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next
      .handle()
      .pipe(
        map((result: unknown) => (result instanceof Page ? toEnvelope(result, this.urlOf(request)) : result)),
      );
  }

  /** The request line may hold a whole URL, whose host is the caller's too. */
  private urlOf({ originalUrl }: FastifyRequest): URL {
    const { pathname, search } = new URL(originalUrl, this.publicUrl);
    return new URL(this.publicUrl + pathname + search);
  }
}
