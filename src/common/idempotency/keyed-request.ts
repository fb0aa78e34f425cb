import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { IdempotencyKeyMalformed } from './idempotency.errors.js';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** The authentication leaves the account on the request; a claimed key leaves the logical request's name. */
export type KeyedRequest = FastifyRequest & { user?: unknown; idempotentRequestId?: string };

export interface RequestKey {
  accountId: number;
  key: string;
  /** Two requests with one hash ask for the same. */
  hash: string;
}

/**
 * The key of a POST by an account; null when there is none.
 * @throws IdempotencyKeyMalformed
 */
export function requestKeyOf(request: KeyedRequest): RequestKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST' || typeof request.user !== 'number') return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) throw new IdempotencyKeyMalformed();
  return { accountId: request.user, key, hash: hashOf(request) };
}

/** An upload's bytes are not in `body`: they differ at each attempt anyway, in the boundary of their parts. */
function hashOf({ method, url, body }: FastifyRequest): string {
  const text = JSON.stringify([method, url, body ?? null]);
  return createHash('sha256').update(text).digest('base64url');
}
