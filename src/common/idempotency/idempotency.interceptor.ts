import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { toErrorAnswer } from '../errors/error-answer.js';
import { DatabaseOutageService } from '../persistence/database-outage.service.js';
import { IdempotencyKeyInFlight, IdempotencyKeyReused } from './idempotency.errors.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { requestKeyOf, type KeyedRequest } from './keyed-request.js';

/**
 * A POST with an `Idempotency-Key` is worked on once: repeated within a day it gets the same answer again. A
 * 5xx releases the key, because the request may succeed when it is tried again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly outage: DatabaseOutageService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyedRequest>();
    const key = await requestKeyOf(request);
    if (key === null) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const claim = await this.keys.claim(key);
    switch (claim.kind) {
      case 'answered':
        reply.status(claim.status).header('Idempotent-Replayed', 'true');
        return of(claim.body === '' ? undefined : JSON.parse(claim.body));
      case 'in-flight':
        throw new IdempotencyKeyInFlight();
      case 'other-request':
        throw new IdempotencyKeyReused();
      case 'claimed':
        request.idempotentRequestId = claim.requestId;
        return from(this.work(next, reply, claim.lock));
    }
  }

  private async work(next: CallHandler, reply: FastifyReply, lock: string): Promise<unknown> {
    const handled: Observable<unknown> = next.handle();
    const result = await lastValueFrom(handled, { defaultValue: undefined }).catch(async (error: unknown) => {
      const { status, body } = toErrorAnswer(error);
      await this.note(
        status >= 500 ? this.keys.release(lock) : this.keys.answer(lock, status, JSON.stringify(body)),
      );
      throw error;
    });
    const body = result === undefined ? '' : JSON.stringify(result);
    await this.note(this.keys.answer(lock, reply.statusCode, body));
    return result;
  }

  /** What was done is done: that its answer could not be kept must not become the answer. */
  private async note(written: Promise<void>): Promise<void> {
    await written.catch((error: unknown) => {
      if (this.outage.report(error)) return;
      this.logger.warn(`An answer could not be kept (${error instanceof Error ? error.name : 'error'})`);
    });
  }
}
