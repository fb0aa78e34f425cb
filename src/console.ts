import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { PUBLIC_ROUTE } from './auth/auth.decorators.js';
import { answerInShape } from './http/fastify-options.js';
import { securePages } from './http/page-headers.js';
import type { RuntimeSettings } from './config/runtime-settings.js';
import { HTML } from './serve-content.js';

/** What the build makes of `console/`. */
const BUILT = fileURLToPath(new URL('../console', import.meta.url));
const INDEX = 'index.html';
/** The names of assets are made of what is in them. */
const IMMUTABLE = { maxAge: '1y', immutable: true } as const;
const REVALIDATED = { maxAge: 0 } as const;
const HAS_EXTENSION = /\.[^./]+$/;

export const consoleIsBuilt = (folder: string = BUILT): boolean => existsSync(join(folder, INDEX));

/**
 * The console at `/console`, unless `CONSOLE_ENABLED` is false: its files, and its page for every address below that is
 * none. A console that is not built is not there.
 */
export async function serveConsole(
  fastify: FastifyInstance,
  { publicUrl, apiPrefix, consoleEnabled }: RuntimeSettings['http'],
  folder: string = BUILT,
): Promise<void> {
  if (!consoleEnabled) return;
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/*$/, '/');
  await fastify.register(async (scope) => {
    await securePages(scope, {
      // The library of components writes its styles into the page; nothing that people enter becomes HTML.
      styles: ["'unsafe-inline'"],
      images: ['blob:'],
      media: [origin, 'blob:', 'data:'],
      workers: ['blob:'],
      connect: [origin, origin.replace(/^http/, 'ws'), 'blob:'],
    });
    scope.setErrorHandler(answerInShape);
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
    const config = PUBLIC_ROUTE as FastifyContextConfig;
    const page = (reply: FastifyReply): Promise<unknown> => sendPage(reply, folder, { base, apiPrefix });
    scope.get<{ Params: { '*': string } }>('/console/assets/*', { config }, (request, reply) =>
      reply.sendFile(`assets/${request.params['*']}`, IMMUTABLE),
    );
    scope.get('/console', { config }, (_request, reply) => page(reply));
    scope.get<{ Params: { '*': string } }>('/console/*', { config }, (request, reply) => {
      const { '*': path } = request.params;
      const isFile = HAS_EXTENSION.test(path) && path !== INDEX;
      return isFile ? reply.sendFile(path, REVALIDATED) : page(reply);
    });
  });
}

/** Read each time: a new build has other assets. */
async function sendPage(
  reply: FastifyReply,
  folder: string,
  { base, apiPrefix }: { base: string; apiPrefix: string },
): Promise<unknown> {
  const built = await readFile(join(folder, INDEX), 'utf8').catch(() => null);
  if (built === null) return reply.callNotFound();
  const head = `<head>
    <base href="${base}console/">
    <meta name="api-base" content="${base.slice(0, -1)}${apiPrefix}">`;
  return reply
    .headers({ 'content-type': HTML, 'cache-control': 'no-cache' })
    .send(built.replace('<head>', () => head));
}
