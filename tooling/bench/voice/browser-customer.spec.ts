import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { NO_TRAITS } from '../../sandbox/traits/line-traits.js';
import { closeServer, listenLocally } from '../support/local-server.js';
import { BrowserCustomer } from './browser-customer.js';

const FRAME_MS = 20;

it('begins with audio in real time, also where the first frame is received with the opened line', async () => {
  let received = 0;
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer().on('upgrade', (request, socket, head) => {
    socket.cork();
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('message', (_data, isBinary) => (received += isBinary ? 1 : 0));
      opened.send('{"type":"ready"}');
    });
    socket.uncork();
  });
  const url = await listenLocally(server);
  try {
    const begunAt = performance.now();
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false });
    await new BrowserCustomer(socket, NO_TRAITS).run(async (line) => line.wait(FRAME_MS * 2));
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThanOrEqual((performance.now() - begunAt) / FRAME_MS);
  } finally {
    await closeServer(server);
  }
});
