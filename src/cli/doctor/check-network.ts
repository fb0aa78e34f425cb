import { createServer } from 'node:net';
import type { Settings } from '#src/config/settings.js';
import ipaddr from 'ipaddr.js';
import { isSandboxCarrier, isSandboxModel } from '#src/config/production-rules.js';
import { FORWARDED_IGNORED } from '#src/http/forwarded.js';
import { fail, ok, fetchStatus, warn, type CheckResult } from './finding.js';

const TIMEOUT_MS = 3_000;

/** Whether the service answers at this URL. */
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
): Promise<CheckResult> {
  if (isRunning) return ok(`the service responds on port ${port}`);
  const refusal = await tryToListen(host, port);
  if (refusal === null) return ok(`port ${port} on ${host} is free`);
  if (refusal === 'EADDRINUSE') {
    return fail(`another program has port ${port}`, 'stop that program, or set PORT');
  }
  if (refusal === 'EACCES')
    return fail(`no permission to listen on port ${port}`, 'set PORT to 1024 or more');
  return fail(`${host}:${port} cannot be listened on (${refusal})`, 'set HOST to an address of this machine');
}

/** @returns the error code; null when listening works */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/** The carrier fetches call instructions from this URL and opens a WebSocket to it. */
export async function checkPublicUrl(
  { http: { publicUrl }, carrier }: Pick<Settings, 'http' | 'carrier'>,
  isRunning: boolean,
): Promise<CheckResult> {
  const { protocol, hostname } = new URL(publicUrl);
  // A carrier with an http URL is a sandbox in another process.
  const carrierIsReal = carrier !== null && (carrier.apiUrl ?? 'https:').startsWith('https:');
  if (carrierIsReal && isLoopback(hostname)) {
    return warn(
      `${publicUrl} is a loopback address, which the carrier cannot reach`,
      'set PUBLIC_URL to a public https address',
    );
  }
  if (carrierIsReal && protocol !== 'https:') {
    return warn(
      `${publicUrl} is not encrypted`,
      'set PUBLIC_URL to an https address: the carrier requires it',
    );
  }
  if (!isRunning) return ok(`${publicUrl}; can be checked only while the service runs`);
  if (await isServiceAt(publicUrl)) return ok(`${publicUrl} leads here`);
  const todo = 'correct PUBLIC_URL, or DNS, proxy and firewall';
  return carrierIsReal
    ? fail(`${publicUrl} does not lead here`, todo)
    : warn(`${publicUrl} does not lead here`, todo);
}

/** Whether the service gets the addresses of clients behind a proxy. */
export async function checkProxies({
  http: { publicUrl },
}: {
  http: Pick<Settings['http'], 'publicUrl'>;
}): Promise<CheckResult> {
  const answer = await fetch(`${publicUrl}/health/live`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  await answer?.body?.cancel();
  if (!answer?.ok) return ok('can be checked only while the service is reached at PUBLIC_URL');
  if (!answer.headers.has(FORWARDED_IGNORED)) return ok('none in front, or a trusted one');
  return warn(
    'the address of the proxy is not trusted: all clients share the limits of one address',
    'set TRUSTED_PROXIES to the network of the proxy',
  );
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

const CARRIER_URL = 'https://api.twilio.com';

/** Lists one call of the account: checks the credentials at no cost. */
export async function checkCarrier({
  carrier,
  production,
}: Pick<Settings, 'carrier' | 'production'>): Promise<CheckResult> {
  if (production && isSandboxCarrier(carrier)) {
    return warn(
      'the sandbox, by ALLOW_SANDBOX: no call is made, no message is sent, accounts are charged',
      'set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, and remove ALLOW_SANDBOX',
    );
  }
  if (carrier === null) return ok('the sandbox: no real call is made');
  const { accountSid, authToken, apiUrl } = carrier;
  const url = `${apiUrl ?? CARRIER_URL}/2010-04-01/Accounts/${accountSid}/Calls.json?PageSize=1`;
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const { status, error } = await fetchStatus(url, `Basic ${basic}`);
  if (status === null) {
    return fail(`cannot be reached (${error})`, 'check network and firewall, or correct TWILIO_API_URL');
  }
  if (status === 401 || status === 403) {
    return fail(`refuses the credentials (${status})`, 'correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN');
  }
  if (status >= 400)
    return fail(`responds with ${status}`, "see the carrier's status page, or correct TWILIO_API_URL");
  return ok('accepts the credentials');
}

export async function checkModel({
  model,
  carrier,
  production,
}: Pick<Settings, 'model' | 'carrier' | 'production'>): Promise<CheckResult> {
  if (production && isSandboxModel(model, carrier)) {
    return warn(
      'the sandbox, by ALLOW_SANDBOX: answers from a script',
      'set LLM_API_KEY, and remove ALLOW_SANDBOX',
    );
  }
  if (model === null) return ok('the sandbox: answers from a script');
  const { status, error } = await fetchStatus(`${model.baseUrl}/models`, `Bearer ${model.apiKey}`);
  if (status === null)
    return fail(`cannot be reached (${error})`, 'check network and firewall, or correct LLM_BASE_URL');
  if (status === 401 || status === 403) return fail(`refuses the key (${status})`, 'correct LLM_API_KEY');
  if (status === 404) {
    return warn('responds, but lists no models', 'LLM_BASE_URL must end before /chat/completions');
  }
  if (status >= 400) return fail(`responds with ${status}`, "see the model provider's status page");
  return ok('accepts the key');
}
