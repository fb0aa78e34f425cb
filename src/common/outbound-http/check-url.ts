import { isIP } from 'node:net';

export const MAX_URL_LENGTH = 2048;

/** Typing errors that the URL parser accepts: blanks, `http:/x`, `http:\\x`. */
const PLAIN_FORM = /^https?:\/\/[^\s/\\][^\s\p{Cc}]*$/iu;

/** A name of at least two labels, as the URL parser leaves it (lower case, punycode, trailing dot possible). */
const DOMAIN = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?$/;

/**
 * Returns why a URL cannot be accepted for later requests; null: it can. Addresses are not checked here, because a
 * name is resolved only when the request is sent.
 */
export function checkUrl(url: string): string | null {
  if (url.length > MAX_URL_LENGTH) return `must not be longer than ${MAX_URL_LENGTH} characters`;
  const parsed = parseTarget(url);
  return typeof parsed === 'string' ? parsed : null;
}

/** The parsed URL, or the reason why no request may go there. */
export function parseTarget(url: string): URL | string {
  if (!PLAIN_FORM.test(url) || !URL.canParse(url)) return 'must be an http or https URL';
  const parsed = new URL(url);
  if (parsed.username || parsed.password) return 'must not contain credentials';
  if (!isHost(parsed.hostname)) return 'must name a host with a domain or an IP address';
  return parsed;
}

function isHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) !== 0 || isLocalhost(bare) || (bare.length <= 254 && DOMAIN.test(bare));
}

/** RFC 6761: `localhost` and every name below it mean this machine. */
export function isLocalhost(hostname: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(hostname);
}
