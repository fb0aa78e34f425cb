import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { hashToken, isWellFormedToken } from '#src/auth/access-tokens.service.js';

declare module 'fastify' {
  interface FastifyRequest {
    accountId: number | null;
  }
}

const BEARER = /^Bearer (\S+)$/;

/** Checks the bearer token with the service's query. */
export function authenticate(api: FastifyInstance, pool: Pool): void {
  api.decorateRequest('accountId', null);
  api.addHook('onRequest', async (request, reply) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && isWellFormedToken(token)) {
      const { rows } = await pool.query<{ account_id: number }>(
        `SELECT account_id FROM access_tokens
          WHERE token_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
        [hashToken(token)],
      );
      request.accountId = rows[0]?.account_id ?? null;
    }
    if (request.accountId === null) return reply.status(401).send({ message: 'Unauthenticated.' });
  });
}
