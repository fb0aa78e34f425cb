import { createHash } from 'node:crypto';
import { createParamDecorator, Logger, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors/api-error.js';
import { toErrorAnswer } from '../errors/error-answer.js';
import type { ShownOnceRoute } from '../http/endpoint.decorator.js';
import { JSON_TYPE } from '../http/json-stream.js';
import { uploadFingerprint } from '../http/multipart.js';
import { WithRouteConfig } from '../http/route-config.js';
import {
  IdempotencyKeyInFlight,
  IdempotencyKeyMalformed,
  IdempotencyKeyReused,
  type AnsweredKey,
  type ClaimedKey,
  type IdempotencyService,
  type RequestKey,
  type UnclaimedKey,
} from './idempotency.service.js';

export interface KeyedRoute {
  claimsOwnKey?: boolean;
}

/** Authentication leaves the account on the request; a key that is claimed leaves the logical request's name. */
type KeyedRequest = FastifyRequest & {
  user?: unknown;
  idempotentRequestId?: string;
  claimedKey?: ClaimedKey;
  unclaimedKey?: UnclaimedKey;
};

const keyedRequestOf = (context: ExecutionContext): KeyedRequest =>
  context.switchToHttp().getRequest<KeyedRequest>();

/**
 * Names the logical request of an `Idempotency-Key` (decimal text), null without one. It is the same again when
 * the process that worked on the request died and the client repeats it: what a handler does outside the
 * database is kept under this name, so that it is found instead of done twice.
 */
export const IdempotentRequestId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | null =>
    keyedRequestOf(context).idempotentRequestId ?? null,
);

/** The key of the request for `noteMade`; null without one. */
export const RequestKeyClaim = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClaimedKey | null => keyedRequestOf(context).claimedKey ?? null,
);

/**
 * The handler claims the key in the statement of what it does, see `UnclaimedKey`. Only for handlers that do nothing
 * outside the database before that.
 */
export const ClaimsOwnKey = () => WithRouteConfig({ claimsOwnKey: true } satisfies KeyedRoute);

/** The key that a handler with `@ClaimsOwnKey()` has to claim; null without one. */
export const OwnKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): UnclaimedKey | null =>
    keyedRequestOf(context).unclaimedKey ?? null,
);

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** @throws IdempotencyKeyMalformed */
function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) throw new IdempotencyKeyMalformed();
  return key;
}

/** The `Idempotency-Key` of a request, null without one: for public routes, whose requests no account keeps. */
export const RequestKeyHeader = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  keyOf(keyedRequestOf(context)),
);

/**
 * A POST with an `Idempotency-Key` is worked on once: repeated within a day it gets the same answer again. A 5xx
 * releases the key, because the request may succeed when it is tried again. Hooks and no interceptor: Nest passes the
 * answers of a route that has one through observables, which cost a POST without a key a tenth of its CPU time. To be
 * called after `limitInFlight`, in whose share of the connections a key is claimed.
 *
 * @param isOutage reports an error of an unavailable database; false for any other
 */
export function workOnceOnKeys(
  fastify: FastifyInstance,
  keys: IdempotencyService,
  isOutage: (error: unknown) => boolean,
): void {
  const work = new KeyedWork(keys, isOutage);
  fastify.addHook('preHandler', (request: KeyedRequest, reply, done) => {
    if (!takesKey(request)) done();
    else
      work.begin(request, reply, request.user).then((isAnswered) => {
        if (!isAnswered) done();
      }, done);
  });
  fastify.addHook('onSend', (request: KeyedRequest, reply, payload, done) => {
    if (!request.claimedKey && !request.unclaimedKey) done();
    else work.end(request, reply, payload).then((sent) => done(null, sent), done);
  });
}

/** Every POST of an account does. */
const takesKey = (request: KeyedRequest): request is KeyedRequest & { user: number } =>
  request.method === 'POST' &&
  request.headers['idempotency-key'] !== undefined &&
  typeof request.user === 'number';

class KeyedWork {
  private readonly logger = new Logger('IdempotencyKeys');

  constructor(
    private readonly keys: IdempotencyService,
    private readonly isOutage: (error: unknown) => boolean,
  ) {}

  /**
   * @returns true: the request has its answer already
   * @throws IdempotencyKeyMalformed, IdempotencyKeyInFlight, IdempotencyKeyReused
   */
  async begin(request: KeyedRequest, reply: FastifyReply, accountId: number): Promise<boolean> {
    const key = keyOf(request);
    if (key === null) return false;
    const asked: RequestKey = { accountId, key, hash: await hashOf(request) };
    if ((request.routeOptions.config as KeyedRoute).claimsOwnKey) {
      request.unclaimedKey = this.keys.leaveToHandler(asked);
      return false;
    }
    const claim = await this.keys.claimKey(asked);
    if (claim.kind === 'claimed') {
      request.idempotentRequestId = claim.requestId;
      request.claimedKey = claim;
      return false;
    }
    if (claim.kind !== 'answered') throw refusalOf(claim.kind);
    const text = repeat(reply, claim);
    if (text === '') reply.send();
    else reply.type(JSON_TYPE).send(text);
    return true;
  }

  /** Keeps the answer for the key. @returns what is sent: another answer where the key has one */
  async end(request: KeyedRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { claimedKey, unclaimedKey } = request;
    const lock = claimedKey?.lock ?? (unclaimedKey?.isClaimed ? unclaimedKey.lock : undefined);
    if (lock !== undefined) await this.note(this.conclude(lock, request, reply, payload));
    else if (unclaimedKey) return this.endUnclaimed(unclaimedKey, request, reply, payload);
    return payload;
  }

  /**
   * The handler did not come to claim the key, because a rule or the key itself was against it: an answer that the key
   * has comes before any other.
   */
  private async endUnclaimed(
    key: UnclaimedKey,
    request: KeyedRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    this.keys.takeBack(key);
    if (reply.statusCode >= 500) return payload;
    const claim = key.taken ?? (await this.keys.claimKey(key));
    if (claim.kind === 'answered') return repeat(reply, claim);
    if (claim.kind === 'claimed') {
      await this.note(this.conclude(claim.lock, request, reply, payload));
      return payload;
    }
    const { status, headers, body } = toErrorAnswer(refusalOf(claim.kind));
    reply.status(status).headers(headers);
    return JSON.stringify(body);
  }

  private conclude(
    lock: string,
    { routeOptions }: KeyedRequest,
    { statusCode }: FastifyReply,
    payload: unknown,
  ): Promise<void> {
    if (statusCode >= 500) return this.keys.releaseKey(lock);
    const { shownOnce } = routeOptions.config as ShownOnceRoute;
    const text = typeof payload === 'string' ? payload : '';
    return this.keys.storeAnswer(lock, statusCode, shownOnce && text ? without(shownOnce, text) : text);
  }

  /** The request has taken effect: a failure to store its response must not replace the response. */
  private async note(written: Promise<void>): Promise<void> {
    await written.catch((error: unknown) => {
      if (this.isOutage(error)) return;
      this.logger.warn(`An answer could not be kept (${error instanceof Error ? error.name : 'error'})`);
    });
  }
}

async function hashOf(request: FastifyRequest): Promise<string> {
  const content = (await uploadFingerprint(request)) ?? request.body ?? null;
  const text = JSON.stringify([request.method, request.url, content]);
  return createHash('sha256').update(text).digest('base64url');
}

/** @returns the text of the answer, whose status and headers are set */
function repeat(reply: FastifyReply, { status, body }: AnsweredKey): string {
  reply.status(status).header('Idempotent-Replayed', 'true');
  return body;
}

const refusalOf = (kind: 'in-flight' | 'other-request'): ApiError =>
  kind === 'in-flight' ? new IdempotencyKeyInFlight() : new IdempotencyKeyReused();

const without = (names: string[], json: string): string =>
  JSON.stringify(JSON.parse(json), (name, value: unknown) => (names.includes(name) ? undefined : value));
