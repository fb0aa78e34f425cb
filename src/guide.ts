import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from 'fastify';
import { PUBLIC_ROUTE } from './auth/auth.decorators.js';
import { answerInShape } from './http/fastify-options.js';
import { securePages } from './http/page-headers.js';
import type { RuntimeSettings } from './config/runtime-settings.js';

/** What `npm run docs` makes of `docs/`. */
const BUILT = fileURLToPath(new URL('../guide', import.meta.url));
/** The names of assets contain a hash of their content. */
const IMMUTABLE = { maxAge: '1y', immutable: true } as const;
const REVALIDATED = { maxAge: 0 } as const;
const HAS_EXTENSION = /\.[^./]+$/;
const IS_TEXT = /^(text\/|application\/(javascript|json))/;

export const guideIsBuilt = (folder: string = BUILT): boolean => existsSync(join(folder, 'index.html'));

/**
 * The guide at `/guide`, unless `DOCS_ENABLED` is false: its pages have addresses without an extension. Where it is not
 * built every address below is a 404.
 */
export async function serveGuide(
  fastify: FastifyInstance,
  { publicUrl, docsEnabled }: Pick<RuntimeSettings['http'], 'publicUrl' | 'docsEnabled'>,
  folder: string = BUILT,
): Promise<void> {
  if (!docsEnabled || !guideIsBuilt(folder)) return;
  const base = `${new URL(publicUrl).pathname.replace(/\/*$/, '/')}guide/`;
  await fastify.register(async (scope) => {
    // The generator colours code by `style` attributes; nothing that people enter becomes HTML.
    await securePages(scope, { styles: ["'unsafe-inline'"] });
    scope.setErrorHandler(answerInShape);
    // The site is built for `/guide/`. Compressed files cannot be adapted to another path.
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: base === '/guide/' });
    if (base !== '/guide/') {
      scope.addHook('onSend', async (_request, reply, payload) => {
        const type = String(reply.getHeader('content-type'));
        if (!(payload instanceof Readable) || !IS_TEXT.test(type)) return payload;
        reply.removeHeader('content-length');
        return (await text(payload)).replaceAll('/guide/', base);
      });
    }
    const config = PUBLIC_ROUTE as FastifyContextConfig;
    // Also for `/guide/`: the router ignores a slash at the end, the addresses in the pages need it.
    scope.get('/guide', { config }, (request, reply) =>
      /^[^?]*\/(\?|$)/.test(request.url) ? sendPage(reply, '', folder) : reply.redirect(base),
    );
    scope.get<{ Params: { '*': string } }>('/guide/*', { config }, (request, reply) =>
      sendPage(reply, request.params['*'], folder),
    );
  });
}

function sendPage(reply: FastifyReply, path: string, folder: string): FastifyReply {
  if (path.startsWith('assets/')) return reply.sendFile(path, IMMUTABLE);
  if (HAS_EXTENSION.test(path)) return reply.sendFile(path, REVALIDATED);
  const address = path.replace(/\/$/, '');
  const pages = address === '' ? ['index.html'] : [`${address}.html`, `${address}/index.html`];
  const page = pages.find((name) => existsSync(join(folder, name)));
  if (page !== undefined) return reply.sendFile(page, REVALIDATED);
  return reply.status(404).sendFile('404.html', REVALIDATED);
}
