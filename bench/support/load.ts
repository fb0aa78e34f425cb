import { Pool } from 'undici';
import { CONCURRENCY, SECONDS } from './pace.js';

export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends `concurrency` parallel requests, each on its own connection, for `seconds`.
 * @returns answered requests per second
 * @throws at the first answer that is not a success
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

/** Sends one request and reads the answer. */
export async function shoot(pool: Pool, shot: Shot): Promise<string> {
  const { statusCode, body } = await pool.request(shot);
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${shot.method} ${shot.path}: ${statusCode} ${text.slice(0, 300)}`);
  return text;
}
