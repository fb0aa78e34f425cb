import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

interface Content {
  source: string | Buffer;
  bytes: Buffer;
  etag: string;
}

/** For content that changes with an upgrade only: browsers revalidate it, and download it after an upgrade. */
@Injectable()
export class EtagInterceptor implements NestInterceptor<string | Buffer, Buffer | undefined> {
  /** Of each route the latest: a hash of the API's document takes milliseconds. */
  private readonly latest = new Map<string, Content>();

  intercept(context: ExecutionContext, next: CallHandler<string | Buffer>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const { headers, routeOptions } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((source) => {
        const { bytes, etag } = this.contentOf(routeOptions.url ?? '', source);
        reply.header('etag', etag);
        if (headers['if-none-match'] !== etag) return bytes;
        reply.status(304);
        return undefined;
      }),
    );
  }

  private contentOf(route: string, source: string | Buffer): Content {
    const known = this.latest.get(route);
    if (known?.source === source) return known;
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const content = { source, bytes, etag };
    this.latest.set(route, content);
    return content;
  }
}
