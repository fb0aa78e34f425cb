import { createServer } from 'node:net';
import type { Settings } from '#src/config/settings.types.js';
import { fail, ok, type Verdict, warn } from './finding.js';
import ipaddr from 'ipaddr.js';

const TIMEOUT_MS = 3_000;

/** Whether our service answers there. */
export async function isServiceAt(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/live`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await answer.json()) as { status?: unknown } | null;
    return answer.ok && body?.status === 'ok';
  } catch {
    return false;
  }
}

export async function checkPort(
  { host, port }: Pick<Settings['http'], 'host' | 'port'>,
  isRunning: boolean,
): Promise<Verdict> {
  if (isRunning) return ok(`the service answers on port ${port}`);
  const refusal = await tryToListen(host, port);
  if (refusal === null) return ok(`port ${port} on ${host} is free`);
  if (refusal === 'EADDRINUSE') {
    return fail(`another program has port ${port}`, 'stop that program, or set PORT');
  }
  if (refusal === 'EACCES') return fail(`port ${port} is not ours to take`, 'set PORT to 1024 or more');
  return fail(`${host}:${port} cannot be listened on (${refusal})`, 'set HOST to an address of this machine');
}

/** Null, or the code of the reason why not. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

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
