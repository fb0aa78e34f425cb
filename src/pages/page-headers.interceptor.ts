import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyReply } from 'fastify';
import type { Observable } from 'rxjs';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { pageHeaders, type CspSources } from '#src/http/page-headers.js';

/** Security headers of pages and of the files that they load. Their scripts may send requests to this service only. */
@Injectable()
export class PageHeadersInterceptor implements NestInterceptor {
  private readonly headers: FastifyHelmetOptions;

  constructor({ http }: RuntimeSettings) {
    const { origin } = new URL(http.publicUrl);
    this.headers = pageHeaders(this.sources(origin, origin.replace(/^http/, 'ws')));
  }

  /** Before the handler: its errors have the headers too. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getResponse<FastifyReply>().helmet(this.headers);
    return next.handle();
  }

  protected sources(origin: string, socketOrigin: string): CspSources {
    return { connect: [origin, socketOrigin] };
  }
}
