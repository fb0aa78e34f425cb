/** The peer of `bench -- realtime`: forwards every frame between two sockets unchanged, in both directions. */
import { createServer } from 'node:http';
import { collectDefaultMetrics, register } from 'prom-client';
import { WebSocket, WebSocketServer } from 'ws';

collectDefaultMetrics();
const server = createServer((_request, response) => {
  void register.metrics().then((text) => response.end(text));
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (near) => {
  const far = new WebSocket(process.env['FORWARD_TO'] ?? '', { perMessageDeflate: false });
  near.on('message', (data, binary) => {
    if (far.readyState === far.OPEN) far.send(data, { binary });
  });
  far.on('message', (data, binary) => near.send(data, { binary }));
  near.on('close', () => far.close());
  far.on('error', () => near.terminate());
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
