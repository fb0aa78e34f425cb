import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

interface Content {
  text: string;
  bytes: Buffer;
  etag: string;
}

/** For text that changes with an upgrade only: browsers revalidate it, and download it after an upgrade. */
@Injectable()
export class EtagInterceptor implements NestInterceptor<string, Buffer | undefined> {
  /** Of each handler the latest: a hash of the API's document takes milliseconds. */
  private readonly latest = new Map<unknown, Content>();

  intercept(context: ExecutionContext, next: CallHandler<string>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((text) => {
        const { bytes, etag } = this.contentOf(context.getHandler(), text);
        reply.header('etag', etag);
        if (headers['if-none-match'] !== etag) return bytes;
        reply.status(304);
        return undefined;
      }),
    );
  }

  private contentOf(handler: unknown, text: string): Content {
    const known = this.latest.get(handler);
    if (known?.text === text) return known;
    const bytes = Buffer.from(text);
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const content = { text, bytes, etag };
    this.latest.set(handler, content);
    return content;
  }
}
