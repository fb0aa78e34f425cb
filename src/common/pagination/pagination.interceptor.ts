import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type StreamableFile,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { toEnvelope } from './envelope.js';
import { between, jsonStream } from '../http/json-stream.js';
import { Page, StreamedPage } from './page.js';

const DATA = '"data":[]';

/**
 * Renders every `Page` and `StreamedPage` that a handler returns as the contract's envelope. Its links begin with `PUBLIC_URL`: headers
 * such as `Host` and `X-Forwarded-Proto` are the caller's.
 */
@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(private readonly publicUrl: string) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return next.handle().pipe(
      map((result: unknown) => {
        if (result instanceof Page) return toEnvelope(result, this.urlOf(request));
        return result instanceof StreamedPage ? toStream(result, this.urlOf(request)) : result;
      }),
    );
  }

  /** The request line may hold a whole URL, whose host is the caller's too. */
  private urlOf({ originalUrl }: FastifyRequest): URL {
    const { pathname, search } = new URL(originalUrl, this.publicUrl);
    return new URL(this.publicUrl + pathname + search);
  }
}

function toStream({ pieces, count, total, request }: StreamedPage, url: URL): StreamableFile {
  const envelope = toEnvelope(new Page(Array.from({ length: count }), total, request), url);
  // Only a number stands before it: no text can contain the same.
  const [before = '', ...after] = JSON.stringify({ ...envelope, data: [] }).split(DATA);
  return jsonStream(between(`${before}"data":[`, pieces, `]${after.join(DATA)}`));
}
