/** What pages may read of an answer. */
export const EXPOSED_HEADERS = 'Idempotent-Replayed, Retry-After, X-Request-Id';

/**
 * For preflights, which do not say which assistant is meant: every origin may ask, and only allowed ones can read the
 * answer. No credentials.
 */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '600',
} as const;
