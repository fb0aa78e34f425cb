import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { disconnectSlowReaders } from './request-hooks.js';

const PIECE = 'x'.repeat(64 * 1024);

it('closes the connection of a client that does not read its response, but not of one that reads slowly', async () => {
  const server = fastify();
  disconnectSlowReaders(server, 200);
  let closed = 0;
  server.get('/', (_request, reply) => {
    reply.raw.once('close', () => closed++);
    return reply.send(Readable.from(Array.from({ length: 500 }, () => PIECE)));
  });
  await server.listen();
  const { port } = server.server.address() as AddressInfo;
  try {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(text).toHaveLength(500 * PIECE.length);
    while (closed < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  } finally {
    await server.close();
  }
});
