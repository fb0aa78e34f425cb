import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Heartbeat } from './carrier-connections.js';

let server: WebSocketServer;
let heartbeat: Heartbeat;

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  heartbeat = new Heartbeat(server, 30);
  heartbeat.start();
});

afterEach(() => {
  heartbeat.stop();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

function connect(autoPong: boolean): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong });
}

describe('Heartbeat', () => {
  it('cuts a socket whose other side does not answer', async () => {
    const [code] = await once(connect(false), 'close');
    expect(code).toBe(1006);
  });

  it('leaves one alone that does', async () => {
    const socket = connect(true);
    for (let beats = 0; beats < 4; beats += 1) await once(socket, 'ping');
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});
