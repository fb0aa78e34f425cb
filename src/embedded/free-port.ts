import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections (Linux: 32,768–60,999), one of which could have the port of a process that
 * restarts.
 */
const FIRST = 20_000;
const END = 32_000;
const TRIES = 100;

/** A port of 127.0.0.1 that nobody listens at; somebody may take it before the caller does. */
export async function freePort(): Promise<number> {
  for (let left = TRIES; ; left--) {
    const server = createServer();
    try {
      const port = randomInt(FIRST, END);
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}
