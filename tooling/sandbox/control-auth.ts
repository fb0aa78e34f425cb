import type { FastifyReply, FastifyRequest } from 'fastify';
import { isIPv4 } from 'node:net';
import { sameText } from './same-text.js';

export interface ControlSecrets {
  accountSid: string;
  authToken: string;
  apiKey: string;
}

/** Headers with the origin of a browser's request: a page of another site sends one of these or `Origin`. */
const OWN_FETCH_SITES = ['none', 'same-origin'];

/**
 * Access to the journal and to inbound calls: requests with the credentials of carrier or model; without credentials,
 * programs of this machine while the sandbox listens on loopback only. A page in a browser has no access, under any
 * name of this machine (docs/build/adr/0014-sandbox-control.md).
 */
export function controlAuth({ accountSid, authToken, apiKey }: ControlSecrets, host: string) {
  const accepted = [
    `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    `Bearer ${apiKey}`,
  ];
  const isPrivate = isLoopback(host);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authorization } = request.headers;
    const hasCredentials = accepted.some((expected) => sameText(authorization ?? '', expected));
    if (hasCredentials || (authorization === undefined && isPrivate && isLocalProgram(request))) return;
    await reply
      .code(401)
      .header('www-authenticate', 'Basic realm="sandbox"')
      .send({ message: 'Use the account SID and the auth token, or the API key as bearer token.' });
  };
}

function isLocalProgram({ headers, hostname }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  const isOfAnotherSite =
    headers.origin !== undefined || (site !== undefined && !OWN_FETCH_SITES.includes(String(site)));
  return !isOfAnotherSite && isLoopback(hostname);
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}
