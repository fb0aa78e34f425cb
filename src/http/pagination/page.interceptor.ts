import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type StreamableFile,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { joinArrayElements, JSON_TYPE, jsonTextOrStream } from '../json-stream.js';
import { toPaginationEnvelope } from './envelope.js';
import { Page, StreamedPage } from './page.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** `PUBLIC_URL`. */
    publicUrl: string;
  }
}

/**
 * Answers a `Page` or a `StreamedPage` with the contract's envelope. Its links begin with `PUBLIC_URL`: headers such as
 * `Host` and `X-Forwarded-Proto` are the caller's.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const url = urlOf(http.getRequest<FastifyRequest>());
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (answer instanceof Page) return toPaginationEnvelope(answer, url);
        if (!(answer instanceof StreamedPage)) return answer;
        void http.getResponse<FastifyReply>().header('content-type', JSON_TYPE);
        return toText(answer, url);
      }),
    );
  }
}

/** The request line may hold a whole URL, whose host is the caller's too. */
function urlOf({ originalUrl, server }: FastifyRequest): URL {
  const { pathname, search } = new URL(originalUrl, server.publicUrl);
  return new URL(server.publicUrl + pathname + search);
}

const DATA = '"data":[]';

function toText({ pieces, count, total, request }: StreamedPage, url: URL): Promise<string | StreamableFile> {
  const envelope = toPaginationEnvelope(new Page(Array.from({ length: count }), total, request), url);
  // Only a number stands before it: no text can contain the same.
  const [before = '', ...after] = JSON.stringify({ ...envelope, data: [] }).split(DATA);
  return jsonTextOrStream(joinArrayElements(`${before}"data":[`, pieces, `]${after.join(DATA)}`));
}
