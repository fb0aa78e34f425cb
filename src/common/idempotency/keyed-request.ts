import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { uploadFingerprint } from '../http/multipart.js';
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
export async function requestKeyOf(request: KeyedRequest): Promise<RequestKey | null> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST' || typeof request.user !== 'number') return null;
  if (typeof key !== 'string' || !VISIBLE.test(key)) throw new IdempotencyKeyMalformed();
  return { accountId: request.user, key, hash: await hashOf(request) };
}

async function hashOf(request: FastifyRequest): Promise<string> {
  const content = (await uploadFingerprint(request)) ?? request.body ?? null;
  const text = JSON.stringify([request.method, request.url, content]);
  return createHash('sha256').update(text).digest('base64url');
}
