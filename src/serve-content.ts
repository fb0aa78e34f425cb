import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PUBLIC_ROUTE } from './auth/auth.decorators.js';

export const HTML = 'text/html; charset=utf-8';

interface ContentOptions {
  /** Says which requests get the file; the others get a 404. */
  isFor?: (request: FastifyRequest) => boolean;
  headers?: Record<string, string>;
}

/** Serves from memory, to everybody, what the first request renders: most processes never show the documentation. */
export function serve(
  scope: FastifyInstance,
  path: string,
  type: string,
  render: () => string | Buffer,
  { isFor = () => true, headers = {} }: ContentOptions = {},
): void {
  const content = once(() => {
    const bytes = Buffer.from(render());
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  });
  scope.get(path, { config: PUBLIC_ROUTE }, async (request, reply) => {
    if (!isFor(request)) return reply.callNotFound();
    const { bytes, etag } = content();
    // Browsers revalidate each time and download only after an upgrade.
    reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag, ...headers });
    return request.headers['if-none-match'] === etag ? reply.status(304).send() : reply.send(bytes);
  });
}

export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
