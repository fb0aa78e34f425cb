import type { FastifyRequest } from 'fastify';
import { sameText } from '../same-text.js';
import { RestError } from './rest-error.js';

/** HTTP Basic with account SID and auth token; another account in the path does not exist. */
export function restAuth(accountSid: string, authToken: string) {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return async (request: FastifyRequest<{ Params: { accountSid?: string } }>): Promise<void> => {
    if (!sameText(request.headers.authorization ?? '', expected)) throw new RestError(20003);
    if (request.params.accountSid !== accountSid) throw new RestError(20404);
  };
}
