import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Heartbeat } from './carrier-connections.js';

const INTERVAL_MS = 30;

let server: WebSocketServer;
let heartbeat: Heartbeat;

/** Only the heartbeat uses an interval; sockets need the other timers. */
const fakeIntervals = () =>
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
  });

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  fakeIntervals();
  heartbeat = new Heartbeat(server, INTERVAL_MS);
  heartbeat.start();
});

afterEach(() => {
  heartbeat.stop();
  jest.useRealTimers();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const beat = () => jest.advanceTimersByTime(INTERVAL_MS);

/** @returns both ends of a connection that is open on both */
async function connect(autoPong: boolean): Promise<{ client: WebSocket; accepted: WebSocket }> {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const [[accepted]] = await Promise.all([
    once(server, 'connection') as Promise<[WebSocket]>,
    once(client, 'open'),
  ]);
  return { client, accepted };
}

describe('Heartbeat', () => {
  it('terminates a socket whose peer does not respond', async () => {
    const { client } = await connect(false);
    const asked = once(client, 'ping');
    beat();
    await asked;
    const closed = once(client, 'close');
    beat();
    expect((await closed)[0]).toBe(1006);
  });

  it('keeps a socket whose peer responds', async () => {
    const { client, accepted } = await connect(true);
    for (let beats = 0; beats < 4; beats += 1) {
      const answered = once(accepted, 'pong');
      beat();
      await answered;
    }
    expect([client.readyState, accepted.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  });
});
