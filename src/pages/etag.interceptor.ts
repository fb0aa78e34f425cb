import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';

interface Content {
  source: string | Buffer;
  bytes: Buffer;
  compressed: Buffer;
  hash: string;
}

const compress = promisify(gzip);
/** `gzip;q=0` refuses it. */
const TAKES_GZIP = /(^|[\s,])gzip\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i;

/** For content that changes with an upgrade only: browsers revalidate it, and download it after an upgrade. */
@Injectable()
export class EtagInterceptor implements NestInterceptor<string | Buffer, Buffer | undefined> {
  /** Of each route the latest: to hash and compress the API's document takes milliseconds. */
  private readonly latest = new Map<string, Content>();

  intercept(context: ExecutionContext, next: CallHandler<string | Buffer>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const { headers, routeOptions } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      mergeMap(async (source) => {
        const { bytes, compressed, hash } = await this.contentOf(routeOptions.url ?? '', source);
        const isCompressed = TAKES_GZIP.test(headers['accept-encoding']?.toString() ?? '');
        const etag = isCompressed ? `"${hash}-gzip"` : `"${hash}"`;
        reply.headers({ etag, vary: 'accept-encoding' });
        if (headers['if-none-match'] === etag) {
          reply.status(304);
          return undefined;
        }
        if (!isCompressed) return bytes;
        reply.header('content-encoding', 'gzip');
        return compressed;
      }),
    );
  }

  private async contentOf(route: string, source: string | Buffer): Promise<Content> {
    const known = this.latest.get(route);
    if (known?.source === source) return known;
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    const hash = createHash('sha256').update(bytes).digest('base64url');
    const content = { source, bytes, compressed: await compress(bytes), hash };
    this.latest.set(route, content);
    return content;
  }
}
