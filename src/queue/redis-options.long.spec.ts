import { describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisOptions } from './redis-options.js';

/** Longer than a command waits for its answer. */
const OUTAGE_MS = 3_000;
const TIMEOUT_MS = 8_000;

describe('redisOptions', () => {
  it('creates a client that reconnects after accepted connections close', async () => {
    let away = true;
    const server = createServer((socket) => {
      if (away) return void socket.destroy();
      // Each command is an array; every one of them is fine.
      socket.on('data', (chunk) => {
        for (const _ of String(chunk).matchAll(/^\*\d+\r$/gm)) socket.write('+OK\r\n');
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const client = new Redis(`redis://:secret@127.0.0.1:${port}`, redisOptions('client'));
    client.on('error', () => undefined);
    await sleep(OUTAGE_MS);
    away = false;
    let answered = false;
    const ask = async (): Promise<void> => {
      for (const end = Date.now() + TIMEOUT_MS; !answered && Date.now() < end; await sleep(50)) {
        // Where nobody connects again, there is not even a failure.
        const set = client.set('key', 'value').then(
          () => true,
          () => false,
        );
        answered = await Promise.race([set, sleep(TIMEOUT_MS, false, { ref: false })]);
      }
    };
    try {
      await ask();
      expect(answered).toBe(true);
    } finally {
      client.disconnect();
      server.close();
    }
  });
});
