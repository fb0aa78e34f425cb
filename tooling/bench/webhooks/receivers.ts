/**
 * node receivers.js: ten webhook receivers in one process, which sends their ports to its parent. They respond after
 * `ANSWER_MS`; after the message `{hang: true}` the first one does not respond.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. `at` in milliseconds since the epoch. */
export interface Arrival {
  receiver: number;
  callId: number;
  at: number;
}

export const RECEIVERS = 10;

/** From the parent: whether the first receiver hangs, and the response time in ms. */
export interface ReceiversOrder {
  hang: boolean;
  answerMs: number;
}

if (process.send) {
  let order: ReceiversOrder = { hang: false, answerMs: 0 };
  let arrivals: Arrival[] = [];
  process.on('message', (message: ReceiversOrder) => (order = message));
  process.on('disconnect', () => process.exit(0));
  // In batches: a message per request takes most of the CPU time.
  setInterval(() => {
    if (arrivals.length > 0) process.send?.({ arrivals });
    arrivals = [];
  }, 20);
  const servers = await Promise.all(Array.from({ length: RECEIVERS }, (_, receiver) => listen(receiver)));
  process.send({ ports: servers.map((server) => (server.address() as AddressInfo).port) });

  async function listen(receiver: number): Promise<Server> {
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { id } = JSON.parse(text) as { id: number };
        arrivals.push({ receiver, callId: id, at: Date.now() });
        if (order.hang && receiver === 0) return;
        setTimeout(() => response.end('{"ok":true}'), order.answerMs);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
}
