import { createHash } from 'node:crypto';
import { createParamDecorator, Logger, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '#src/common/errors/api-error.js';
import { JSON_TYPE } from '../json-stream.js';
import type { ShownOnce } from '../route-config.js';
import { uploadFingerprint } from '../multipart.js';
import {
  IdempotencyKeyInFlight,
  IdempotencyKeyMalformed,
  IdempotencyKeyReused,
  type ClaimedKey,
  type IdempotencyService,
  type RequestKey,
} from './idempotency.service.js';

/** Authentication leaves the account on the request; a key that is claimed leaves the logical request's name. */
type KeyedRequest = FastifyRequest & {
  user?: unknown;
  idempotentRequestId?: string;
  claimedKey?: ClaimedKey;
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

/** The key of the request for `recordCreatedId`; null without one. */
export const RequestKeyClaim = createParamDecorator(
  (_: unknown, context: ExecutionContext): ClaimedKey | null => keyedRequestOf(context).claimedKey ?? null,
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

export interface IdempotencyMeans {
  keys: IdempotencyService;
  /** Hashes of a text that nobody finds out by trying texts: the first is stored, each of them is one of the text. */
  hashesOf: (text: string) => string[];
  /** Reports an error of an unavailable database; false for any other. */
  isOutage: (error: unknown) => boolean;
}

/**
 * A POST with an `Idempotency-Key` is worked on once: repeated within a day it gets the same answer again. A 5xx or a
 * 429 releases the key, because the request may succeed when it is tried again. Hooks and no interceptor: Nest passes
 * the answers of a route that has one through observables, which cost a POST without a key a tenth of its CPU time. To
 * be called after `limitInFlight`, in whose share of the connections a key is claimed.
 */
export function enforceIdempotency(fastify: FastifyInstance, means: IdempotencyMeans): void {
  const work = new KeyedWork(means);
  fastify.addHook('preHandler', async (request: KeyedRequest, reply) => {
    if (takesKey(request) && (await work.begin(request, reply, request.user))) return reply;
    return undefined;
  });
  fastify.addHook('onSend', async (request: KeyedRequest, reply, payload) => {
    if (request.claimedKey) await work.end(request.claimedKey, request, reply, payload);
  });
}

/** Every POST of an account does. */
const takesKey = (request: KeyedRequest): request is KeyedRequest & { user: number } =>
  request.method === 'POST' &&
  request.headers['idempotency-key'] !== undefined &&
  typeof request.user === 'number';

class KeyedWork {
  private readonly logger = new Logger('IdempotencyKeys');

  constructor(private readonly means: IdempotencyMeans) {}

  /**
   * @returns true: the request has its answer already
   * @throws IdempotencyKeyMalformed, IdempotencyKeyInFlight, IdempotencyKeyReused
   */
  async begin(request: KeyedRequest, reply: FastifyReply, accountId: number): Promise<boolean> {
    const key = keyOf(request);
    if (key === null) return false;
    const digest = await digestOf(request);
    // The digest alone: rows of the versions before have it, for their day.
    const asked: RequestKey = { accountId, key, hashes: [...this.means.hashesOf(digest), digest] };
    const claim = await this.means.keys.claimKey(asked);
    if (claim.kind === 'claimed') {
      request.idempotentRequestId = claim.requestId;
      request.claimedKey = claim;
      return false;
    }
    if (claim.kind !== 'answered') throw refusalOf(claim.kind);
    const { status, body } = claim;
    reply.status(status).header('Idempotent-Replayed', 'true');
    if (body === '') reply.send();
    else reply.type(JSON_TYPE).send(body);
    return true;
  }

  /** Keeps the answer. The request has taken effect: a failure to store its response must not replace the response. */
  async end(
    { lock }: ClaimedKey,
    { routeOptions }: KeyedRequest,
    { statusCode }: FastifyReply,
    payload: unknown,
  ): Promise<void> {
    const { shownOnce } = routeOptions.config;
    const text = typeof payload === 'string' ? payload : '';
    try {
      if (statusCode >= 500 || statusCode === 429) await this.means.keys.releaseKey(lock);
      else
        await this.means.keys.storeResponse(
          lock,
          statusCode,
          shownOnce && text ? without(shownOnce, text) : text,
        );
    } catch (error) {
      if (this.means.isOutage(error)) return;
      this.logger.warn(
        `The response of a keyed request was not stored (${error instanceof Error ? error.name : 'error'})`,
      );
    }
  }
}

async function digestOf(request: FastifyRequest): Promise<string> {
  const content = (await uploadFingerprint(request)) ?? request.body ?? null;
  const text = JSON.stringify([request.method, request.url, content]);
  return createHash('sha256').update(text).digest('base64url');
}

const refusalOf = (kind: 'in-flight' | 'other-request'): ApiError =>
  kind === 'in-flight' ? new IdempotencyKeyInFlight() : new IdempotencyKeyReused();

const without = (replaced: ShownOnce, json: string): string =>
  JSON.stringify(JSON.parse(json), (name, value: unknown) =>
    Object.hasOwn(replaced, name) ? replaced[name] : value,
  );
