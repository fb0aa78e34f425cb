import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ServerExitedError } from './child-server.js';

const PORT_ATTEMPTS = 3;

/** Runs `start` with a free port of 127.0.0.1, and again if somebody else took it in the meantime. */
export async function startOnFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await findFreePort());
    } catch (error) {
      const portTaken = error instanceof ServerExitedError && /already in use/i.test(error.logTail);
      if (!portTaken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
