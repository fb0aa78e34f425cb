import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type StreamableFile,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, of, type Observable } from 'rxjs';
import { toEnvelope } from './envelope.js';
import { between, JSON_TYPE, jsonTextOrStream } from '../http/json-stream.js';
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
      mergeMap((result: unknown) => {
        if (result instanceof Page) return of(toEnvelope(result, this.urlOf(request)));
        if (!(result instanceof StreamedPage)) return of(result);
        context.switchToHttp().getResponse<FastifyReply>().header('content-type', JSON_TYPE);
        return toText(result, this.urlOf(request));
      }),
    );
  }

  /** The request line may hold a whole URL, whose host is the caller's too. */
  private urlOf({ originalUrl }: FastifyRequest): URL {
    const { pathname, search } = new URL(originalUrl, this.publicUrl);
    return new URL(this.publicUrl + pathname + search);
  }
}

function toText({ pieces, count, total, request }: StreamedPage, url: URL): Promise<string | StreamableFile> {
  const envelope = toEnvelope(new Page(Array.from({ length: count }), total, request), url);
  // Only a number stands before it: no text can contain the same.
  const [before = '', ...after] = JSON.stringify({ ...envelope, data: [] }).split(DATA);
  return jsonTextOrStream(between(`${before}"data":[`, pieces, `]${after.join(DATA)}`));
}
