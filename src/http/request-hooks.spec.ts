import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { toErrorResponse } from './errors/error-response.js';
import { fastifyOptions } from './fastify-options.js';
import { registerJsonBody } from './json-body.js';
import { registerRequestHooks } from './request-hooks.js';

const BODY_MS = 50;
let server: FastifyInstance;
let socket: Socket;
let handled: unknown[];

async function start(options: FastifyServerOptions = {}): Promise<void> {
  handled = [];
  server = fastify({ ...fastifyOptions(), ...options });
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = toErrorResponse(error);
    return reply.status(status).send(body);
  });
  registerRequestHooks(server, { bodyMs: BODY_MS });
  registerJsonBody(server);
  const handler = async ({ body }: { body: unknown }) => (handled.push(body), { ok: true });
  server.post('/', handler);
  server.post('/upload', { config: { acceptsUpload: true } }, handler);
  await server.listen({ port: 0, host: '127.0.0.1' });
  socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
}

async function answer(): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

afterEach(async () => {
  socket.destroy();
  await server.close();
});

describe('time limits of requests', () => {
  beforeEach(() => start());

  it('responds with 408 when the body does not arrive', async () => {
    socket.write(`${head('/', 7)}{"a"`);
    const text = await answer();
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text).toMatch(/\{"message":"Request Timeout"\}$/);
    await once(socket, 'close');
    expect(handled).toEqual([]);
  });

  it('allows more time for an upload', async () => {
    socket.write(`${head('/upload', 7)}{"a"`);
    // Ten times what another route waits.
    await new Promise((resolve) => setTimeout(resolve, 10 * BODY_MS));
    socket.write(':1}');
    expect(await answer()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(handled).toEqual([{ a: 1 }]);
  });
});

it('responds with 408 when the headers are incomplete', async () => {
  await start({
    requestTimeout: 100,
    http: { headersTimeout: 50, connectionsCheckingInterval: 20 },
  } as FastifyServerOptions);
  socket.write(head('/upload', 7));
  const text = await answer();
  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(text).toMatch(/\{"message":"Request Timeout"\}$/);
});

it('closes the connection of a refused request that keeps sending', async () => {
  await start();
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(head('/nothing', 100_000_000));
  expect(await answer()).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  const chunk = Buffer.alloc(256 * 1024, 'x');
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(50_000_000);
});
