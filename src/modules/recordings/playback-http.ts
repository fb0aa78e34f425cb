import { StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PlaybackResponse, PlaybackRequest } from './recording-playback.service.js';

/** Any page may play a recording whose link it has; nothing in the answer may run as a script. */
const SECURITY = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // The browser's own page around audio that is opened by itself.
  'Content-Security-Policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

export function playbackRequest({ headers, ip, id }: FastifyRequest, { raw }: FastifyReply): PlaybackRequest {
  const closed = new AbortController();
  const close = (): void => closed.abort();
  if (raw.closed || raw.destroyed) close();
  else raw.once('close', close);
  const ifRange = headers['if-range'];
  return {
    range: headers.range,
    ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange,
    ifNoneMatch: headers['if-none-match'],
    closed: closed.signal,
    client: { address: ip, requestId: id },
  };
}

/** Nest sends no body to HEAD, and ends the source when the client is gone. */
export function sendPlayback(reply: FastifyReply, { status, headers, body }: PlaybackResponse) {
  void reply.status(status).headers({ ...headers, ...SECURITY });
  return body ? new StreamableFile(body) : undefined;
}
