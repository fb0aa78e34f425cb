import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisCounter } from './redis-counter.js';

describe('RedisCounter without a Redis that answers', () => {
  let server: Server | undefined;
  let counter: RedisCounter | undefined;
  const sockets: Socket[] = [];

  afterEach(async () => {
    counter?.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  });

  async function listen(talk: (socket: Socket) => void): Promise<string> {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      talk(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('lets requests through while nobody listens', async () => {
    const url = await listen(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    counter = new RedisCounter(url);
    expect(await counter.count('a')).toBeNull();
  });

  it('lets requests through when it hangs, and does not make each of them wait', async () => {
    const asked: string[] = [];
    const url = await listen((socket) => {
      socket.on('data', (data) => {
        asked.push(data.toString());
        // Enough of a Redis to be taken for one that is ready; it never counts.
        if (/info/i.test(data.toString())) socket.write('$11\r\nloading:0\r\n\r\n');
        else if (!/eval/i.test(data.toString())) socket.write('+OK\r\n');
      });
    });
    counter = new RedisCounter(url);
    await counter.ready();
    expect(await counter.count('a')).toBeNull();
    const evals = () => asked.filter((command) => /eval/i.test(command)).length;
    expect(evals()).toBe(1);
    expect(await counter.count('a')).toBeNull();
    expect(evals()).toBe(1);
  });
});
