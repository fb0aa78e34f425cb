import { Pool } from 'undici';
import { sendOutboundRequest } from '#src/common/outbound-http/outbound-exchange.js';
import { CONCURRENCY, SECONDS } from './pace.js';

const LIMIT_MS = 30_000;
const MAX_BYTES = 1 << 26;

export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends `concurrency` parallel requests, each on its own connection, for `seconds`.
 * @returns completed requests per second
 * @throws at the first unsuccessful response
 */
export async function load(
  url: string,
  next: () => Shot,
  { seconds = SECONDS, concurrency = CONCURRENCY } = {},
): Promise<number> {
  const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
  const started = performance.now();
  const end = started + seconds * 1000;
  let answered = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      await shoot(pool, next());
      answered++;
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, client));
    return (answered * 1000) / (performance.now() - started);
  } finally {
    await pool.destroy();
  }
}

/** Sends one request and reads the response. */
export async function shoot(pool: Pool, shot: Shot): Promise<string> {
  const { statusCode, body: text } = await sendOutboundRequest(pool, shot, {
    timeoutMs: LIMIT_MS,
    maxResponseBytes: MAX_BYTES,
  });
  if (statusCode >= 300) throw new Error(`${shot.method} ${shot.path}: ${statusCode} ${text.slice(0, 300)}`);
  return text;
}
