import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
  type CallHandler,
  type NestInterceptor,
} from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { FastifyRequest, FastifyReply } from 'fastify';
import { shownOnceBy } from '../http/endpoint.decorator.js';
import { uploadFingerprint } from '../http/multipart.js';
import {
  IdempotencyKeyMalformed,
  IdempotencyKeyInFlight,
  IdempotencyKeyReused,
  IdempotencyService,
  type RequestKey,
} from './idempotency.service.js';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { toErrorAnswer } from '../errors/error-answer.js';
import { DatabaseOutageService } from '../persistence/database-outage.service.js';

/**
 * Names the logical request of an `Idempotency-Key` (decimal text), null without one. It is the same again when
 * the process that worked on the request died and the client repeats it: what a handler does outside the
 * database is kept under this name, so that it is found instead of done twice.
 */
export const IdempotentRequestId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    context.switchToHttp().getRequest<KeyedRequest>().idempotentRequestId ?? null,
);

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** The authentication leaves the account on the request; a claimed key leaves the logical request's name. */
export type KeyedRequest = FastifyRequest & { user?: unknown; idempotentRequestId?: string };

/** @throws IdempotencyKeyMalformed */
function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) throw new IdempotencyKeyMalformed();
  return key;
}

/** The `Idempotency-Key` of a request, null without one: for public routes, whose requests no account keeps. */
export const RequestKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  keyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * The key of a POST by an account; null when there is none.
 * @throws IdempotencyKeyMalformed
 */
export async function requestKeyOf(request: KeyedRequest): Promise<RequestKey | null> {
  if (request.method !== 'POST' || typeof request.user !== 'number') return null;
  const key = keyOf(request);
  return key === null ? null : { accountId: request.user, key, hash: await hashOf(request) };
}

async function hashOf(request: FastifyRequest): Promise<string> {
  const content = (await uploadFingerprint(request)) ?? request.body ?? null;
  const text = JSON.stringify([request.method, request.url, content]);
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * A POST with an `Idempotency-Key` is worked on once: repeated within a day it gets the same answer again. A
 * 5xx releases the key, because the request may succeed when it is tried again.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(
    private readonly keys: IdempotencyService,
    private readonly outage: DatabaseOutageService,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyedRequest>();
    return request.headers['idempotency-key'] === undefined
      ? next.handle()
      : this.interceptKeyed(request, context, next);
  }

  private async interceptKeyed(
    request: KeyedRequest,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const key = await requestKeyOf(request);
    if (key === null) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const claim = await this.keys.claimKey(key);
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
        return from(this.work(next, reply, claim.lock, shownOnceBy(context.getHandler())));
    }
  }

  /** @param shownOnce members that are not stored */
  private async work(
    next: CallHandler,
    reply: FastifyReply,
    lock: string,
    shownOnce: string[],
  ): Promise<unknown> {
    const handled: Observable<unknown> = next.handle();
    const result = await lastValueFrom(handled, { defaultValue: undefined }).catch(async (error: unknown) => {
      const { status, body } = toErrorAnswer(error);
      await this.note(
        status >= 500
          ? this.keys.releaseKey(lock)
          : this.keys.storeAnswer(lock, status, JSON.stringify(body)),
      );
      throw error;
    });
    const stored = (name: string, value: unknown): unknown => (shownOnce.includes(name) ? undefined : value);
    const body =
      result === undefined ? '' : JSON.stringify(result, shownOnce.length > 0 ? stored : undefined);
    await this.note(this.keys.storeAnswer(lock, reply.statusCode, body));
    return result;
  }

  /** The request has taken effect: a failure to store its response must not replace the response. */
  private async note(written: Promise<void>): Promise<void> {
    await written.catch((error: unknown) => {
      if (this.outage.report(error)) return;
      this.logger.warn(`An answer could not be kept (${error instanceof Error ? error.name : 'error'})`);
    });
  }
}
