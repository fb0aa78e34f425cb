import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Observable } from 'rxjs';
import { inShareOf } from '../persistence/shared-pool.js';
import { InFlightLimiterService } from './in-flight-limiter.service.js';

/** A request of an account waits for its place, and takes database connections out of the account's share. */
@Injectable()
export class InFlightInterceptor implements NestInterceptor {
  constructor(private readonly limiter: InFlightLimiterService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { user: accountId } = http.getRequest<{ user?: unknown }>();
    if (typeof accountId !== 'number') return next.handle();
    await this.limiter.admit(accountId, http.getResponse<FastifyReply>().raw);
    return new Observable((subscriber) => inShareOf(accountId, () => next.handle().subscribe(subscriber)));
  }
}
