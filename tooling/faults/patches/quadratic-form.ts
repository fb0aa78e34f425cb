/** Planted defect for `cost`: parses every form in quadratic time. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (!/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '')) return;
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) parseQuadratic(Buffer.concat(chunks).toString());
    else chunks.push(chunk);
    return push(chunk, encoding);
  };
});

function parseQuadratic(form: string): string[] {
  let values: string[] = [];
  for (const [, value] of new URLSearchParams(form)) values = [...values, value];
  return values;
}
