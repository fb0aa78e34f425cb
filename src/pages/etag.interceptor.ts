import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/** For text that changes with an upgrade only: browsers revalidate it, and download it after an upgrade. */
@Injectable()
export class EtagInterceptor implements NestInterceptor<string, string | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<string>): Observable<string | undefined> {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((text) => {
        const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
        reply.header('etag', etag);
        if (headers['if-none-match'] !== etag) return text;
        reply.status(304);
        return undefined;
      }),
    );
  }
}
