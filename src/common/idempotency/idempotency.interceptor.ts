import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
  SetMetadata,
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
  KeyTaken,
  type ClaimedKey,
  type RequestKey,
  type UnclaimedKey,
} from './idempotency.service.js';
import { from, lastValueFrom, of, throwError, type Observable } from 'rxjs';
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

/** The key of the request for `noteMade`; null without one. */
export const RequestKeyClaim = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClaimedKey | null =>
    context.switchToHttp().getRequest<KeyedRequest>().claimedKey ?? null,
);

const CLAIMS_KEY = 'idempotency:claims-key';

/**
 * The handler claims the key in the statement of what it does, see `UnclaimedKey`. Only for handlers that do nothing
 * outside the database before that.
 */
export const ClaimsOwnKey = () => SetMetadata(CLAIMS_KEY, true);

const claimsOwnKey = (handler: object): boolean => Reflect.hasMetadata(CLAIMS_KEY, handler);

/** The key that a handler with `@ClaimsOwnKey()` has to claim; null: there is none, or it is claimed already. */
export const OwnKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): UnclaimedKey | null =>
    context.switchToHttp().getRequest<KeyedRequest>().unclaimedKey ?? null,
);

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** The authentication leaves the account on the request; a claimed key leaves the logical request's name. */
export type KeyedRequest = FastifyRequest & {
  user?: unknown;
  idempotentRequestId?: string;
  claimedKey?: ClaimedKey;
  unclaimedKey?: UnclaimedKey | null;
};

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
    return claimsOwnKey(context.getHandler())
      ? from(this.workUnclaimed(key, request, context, next))
      : this.workClaimed(key, request, context, next);
  }

  /**
   * The handler claims the key. Where it did not come to that, because a rule or the key itself was against it, the
   * key is claimed here: an answer that it has comes before any other.
   */
  private async workUnclaimed(
    key: RequestKey,
    request: KeyedRequest,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<unknown> {
    const unclaimed = this.keys.leaveToHandler(key);
    request.unclaimedKey = unclaimed;
    const outcome = await settle(next);
    const isRefused =
      'error' in outcome && (outcome.error instanceof KeyTaken || statusOf(outcome.error) < 500);
    if (unclaimed.isClaimed || !isRefused) return this.conclude(outcome, context, unclaimed.lock);
    this.keys.takeBack(unclaimed);
    request.unclaimedKey = null;
    const { error } = outcome;
    const rest = error instanceof KeyTaken ? next : { handle: () => throwError(() => error) };
    return lastValueFrom(await this.workClaimed(key, request, context, rest), NOTHING);
  }

  private async workClaimed(
    key: RequestKey,
    request: KeyedRequest,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const claim = await this.keys.claimKey(key);
    switch (claim.kind) {
      case 'answered':
        context
          .switchToHttp()
          .getResponse<FastifyReply>()
          .status(claim.status)
          .header('Idempotent-Replayed', 'true');
        return of(claim.body === '' ? undefined : JSON.parse(claim.body));
      case 'in-flight':
        throw new IdempotencyKeyInFlight();
      case 'other-request':
        throw new IdempotencyKeyReused();
      case 'claimed':
        request.idempotentRequestId = claim.requestId;
        request.claimedKey = claim;
        return from(settle(next).then((outcome) => this.conclude(outcome, context, claim.lock)));
    }
  }

  /** Keeps the answer under the key; a 5xx releases it. */
  private async conclude(outcome: Outcome, context: ExecutionContext, lock: string): Promise<unknown> {
    if ('error' in outcome) {
      const { status, body } = toErrorAnswer(outcome.error);
      await this.note(
        status >= 500
          ? this.keys.releaseKey(lock)
          : this.keys.storeAnswer(lock, status, JSON.stringify(body)),
      );
      throw outcome.error;
    }
    const { result } = outcome;
    const shownOnce = shownOnceBy(context.getHandler());
    const stored = (name: string, value: unknown): unknown => (shownOnce.includes(name) ? undefined : value);
    const body =
      result === undefined ? '' : JSON.stringify(result, shownOnce.length > 0 ? stored : undefined);
    const { statusCode } = context.switchToHttp().getResponse<FastifyReply>();
    await this.note(this.keys.storeAnswer(lock, statusCode, body));
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

type Outcome = { result: unknown } | { error: unknown };

const NOTHING = { defaultValue: undefined };

function settle(next: CallHandler): Promise<Outcome> {
  const handled: Observable<unknown> = next.handle();
  return lastValueFrom(handled, NOTHING).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

const statusOf = (error: unknown): number => toErrorAnswer(error).status;
