/** Parses every form in quadratic time, whatever the service does with it: a defect that `cost` must notice. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  if (!/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '')) return;
  const chunks: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) copyAgainAndAgain(Buffer.concat(chunks).toString());
    else chunks.push(chunk);
    return push(chunk, encoding);
  };
});

function copyAgainAndAgain(form: string): string[] {
  let values: string[] = [];
  for (const [, value] of new URLSearchParams(form)) values = [...values, value];
  return values;
}
