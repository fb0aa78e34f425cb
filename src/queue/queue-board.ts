import { createHash, timingSafeEqual } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { getQueueToken } from '@nestjs/bull';
import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bull';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_ROUTE } from '#src/auth/auth.decorators.js';
import { TooManyRequests } from '#src/common/errors/api-error.js';
import { sendErrorResponse } from '#src/http/fastify-options.js';
import { pageHeaders } from '#src/http/page-headers.js';
import { addressKey } from '#src/http/rate-limit/address-key.js';
import { FixedWindowCounter } from '#src/http/rate-limit/fixed-window-counter.js';
import { ALL_JOB_KINDS } from './job-queue.js';

const PATH = '/admin/queues';
/** Wrong tokens of one address in a minute; then it is refused until the minute is over. */
const MAX_WRONG_ATTEMPTS = 20;
const WINDOW_MS = 60_000;
/** What bull-board's page loads besides its own files. */
const PAGE_HEADERS = pageHeaders({
  styles: ["'unsafe-inline'", 'https://fonts.googleapis.com'],
  fonts: ['https://fonts.gstatic.com'],
});

/**
 * Serves bull-board at `/admin/queues` to clients with the operator's token: as bearer token, or in a browser as
 * password with any name. For a service whose queue is Redis. A user's API token opens nothing here.
 */
export async function registerQueueBoard(
  app: INestApplicationContext,
  fastify: FastifyInstance,
  operatorToken: string,
): Promise<void> {
  const board = new FastifyAdapter();
  board.setBasePath(PATH);
  const queues = ALL_JOB_KINDS.map(
    (kind) => new BullAdapter(app.get<Queue>(getQueueToken(kind), { strict: false })),
  );
  createBullBoard({ queues, serverAdapter: board });
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => void reply.helmet(PAGE_HEADERS));
      // No user's token opens it; the operator's is checked here.
      scope.addHook('onRoute', (route) => void (route.config = { ...route.config, ...PUBLIC_ROUTE }));
      const attempts = new FixedWindowCounter(MAX_WRONG_ATTEMPTS, WINDOW_MS);
      scope.addHook('onRequest', async (request, reply) => {
        const address = addressKey(request.ip);
        const secondsLeft = attempts.secondsLeft(address);
        if (secondsLeft !== null) {
          // Not thrown: the board answers what its routes throw, with 500.
          sendErrorResponse(new TooManyRequests(secondsLeft), request, reply);
          return reply;
        }
        if (!isOperator(request, operatorToken)) {
          // A browser sends the first request without a token.
          if (request.headers.authorization !== undefined) attempts.count(address);
          reply.header('WWW-Authenticate', 'Basic realm="queues", charset="UTF-8"');
          return reply.status(401).send({ message: 'Unauthenticated.' });
        }
        if (isForeignAction(request)) return reply.status(403).send({ message: 'Forbidden' });
        return undefined;
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: PATH },
  );
}

function isOperator({ headers }: FastifyRequest, operatorToken: string): boolean {
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer') return isSame(value, operatorToken);
  if (scheme?.toLowerCase() !== 'basic') return false;
  const pair = Buffer.from(value, 'base64').toString();
  return isSame(pair.slice(pair.indexOf(':') + 1), operatorToken);
}

/** Browsers send a stored password along with what other sites make them send. */
function isForeignAction({ method, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return method !== 'GET' && site !== undefined && site !== 'same-origin';
}

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
