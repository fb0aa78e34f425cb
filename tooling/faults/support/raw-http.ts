import { connect } from 'node:net';

/** The response on a new connection. */
export interface RawResponse {
  /** 0 without a status line. */
  status: number;
  contentType: string;
  retryAfter: string | null;
  /** Number of bytes received, headers included. */
  bytes: number;
  /** The beginning of the body. */
  body: string;
  /** The peer did not complete the response in time. */
  timedOut: boolean;
}

interface ExchangeOptions {
  timeoutMs: number;
  /** Bytes of the response to keep; all are counted. */
  keep?: number;
  /** Aborts before the time limit. */
  signal?: AbortSignal;
}

/** Sends the bytes on a new connection and reads until the peer closes it. */
export function exchange(
  port: number,
  request: Buffer,
  { timeoutMs, keep = 64 * 1024, signal }: ExchangeOptions,
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const kept: Buffer[] = [];
    let bytes = 0;
    const finish = (timedOut: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...parseResponse(Buffer.concat(kept)), bytes, timedOut });
    };
    const timer = setTimeout(() => finish(true), timeoutMs);
    signal?.addEventListener('abort', () => finish(true), { once: true });
    socket.on('data', (chunk) => {
      if (bytes < keep) kept.push(chunk);
      bytes += chunk.length;
    });
    // A server that refuses a body resets the connection after its response.
    socket.on('error', () => undefined);
    socket.on('close', () => finish(false));
    socket.on('end', () => finish(false));
    socket.write(request);
  });
}

export function parseResponse(
  received: Buffer,
): Pick<RawResponse, 'status' | 'contentType' | 'retryAfter' | 'body'> {
  const text = received.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const rest = received.subarray(end < 0 ? received.length : end + 4);
  const header = (name: string): string | null =>
    new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? null;
  const chunked = /chunked/i.test(header('transfer-encoding') ?? '');
  // The next response follows the body.
  const length = Number(header('content-length') ?? rest.length);
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    contentType: header('content-type') ?? '',
    retryAfter: header('retry-after'),
    body: chunked ? unchunk(rest) : rest.toString('utf8', 0, length),
  };
}

function unchunk(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const line = body.indexOf('\r\n', at);
    const size = line < 0 ? 0 : Number.parseInt(body.toString('latin1', at, line), 16);
    if (!size) break;
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts).toString();
}
