import { createServer } from 'node:net';
import type { Settings } from '#src/config/settings.js';
import { fail, ok, type Verdict } from './finding.js';

export async function checkPort(
  { host, port }: Pick<Settings['http'], 'host' | 'port'>,
  isRunning: boolean,
): Promise<Verdict> {
  if (isRunning) return ok(`the service answers on port ${port}`);
  const refusal = await tryToListen(host, port);
  if (refusal === null) return ok(`port ${port} on ${host} is free`);
  if (refusal === 'EADDRINUSE') {
    return fail(`another program has port ${port}`, 'stop that program, or set PORT');
  }
  if (refusal === 'EACCES') return fail(`port ${port} is not ours to take`, 'set PORT to 1024 or more');
  return fail(`${host}:${port} cannot be listened on (${refusal})`, 'set HOST to an address of this machine');
}

/** Null, or the code of the reason why not. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
