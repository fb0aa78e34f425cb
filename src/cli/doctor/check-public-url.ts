import ipaddr from 'ipaddr.js';
import type { Settings } from '#src/config/settings.js';
import { fail, ok, warn, type Verdict } from './finding.js';
import { isServiceAt } from './is-service-at.js';

/** Where the carrier finds us: it fetches documents there and opens a socket. */
export async function checkPublicUrl(
  { http: { publicUrl }, carrier }: Pick<Settings, 'http' | 'carrier'>,
  isRunning: boolean,
): Promise<Verdict> {
  const { protocol, hostname } = new URL(publicUrl);
  // One of its own that speaks plain HTTP is a sandbox somewhere.
  const carrierIsReal = carrier !== null && (carrier.apiUrl ?? 'https:').startsWith('https:');
  if (carrierIsReal && isLoopback(hostname)) {
    return warn(`${publicUrl} leads the carrier to itself`, 'set PUBLIC_URL to an address that it can reach');
  }
  if (carrierIsReal && protocol !== 'https:') {
    return warn(
      `${publicUrl} is not encrypted`,
      'set PUBLIC_URL to an https address: the carrier insists on it',
    );
  }
  if (!isRunning) return ok(`${publicUrl}; whether it leads here shows when the service runs`);
  if (await isServiceAt(publicUrl)) return ok(`${publicUrl} leads here`);
  const todo = 'correct PUBLIC_URL, or what stands between (DNS, proxy, firewall)';
  return carrierIsReal
    ? fail(`${publicUrl} does not lead here`, todo)
    : warn(`${publicUrl} does not lead here`, todo);
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
