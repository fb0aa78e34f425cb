/**
 * The header `Retry-After` in milliseconds from `now`, at least 0. Some servers send fractions of seconds. @returns null
 * for an absent or invalid header
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : parseHttpDate(text) - now;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`; Date.parse alone takes any text with a number in it. */
const parseHttpDate = (text: string): number =>
  /^[A-Z][a-z]{2,8},? .*GMT$/.test(text) ? Date.parse(text) : NaN;
