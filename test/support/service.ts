import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '#src/embedded/free-port.js';

export interface ServiceProcess {
  url: string;
  process: ChildProcess;
  /** Everything that the service wrote. */
  output(): string;
  /** Ends with the exit code; null when it was killed. */
  exited: Promise<number | null>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const START_TIMEOUT_MS = 300_000;

/**
 * For services beside the shared one: their answers are held against its document, and rendering an own one takes a
 * tenth of the CPU time of a start.
 */
export const WITHOUT_DOCS = { DOCS_ENABLED: 'false' };

/** Starts the built service as an operator would, and waits until it says that it is ready. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const port = env.PORT ?? String(await freePort());
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: port,
      DRAIN_SECONDS: '0',
      CATALOGUE_FILE: join('test', 'support', 'catalogue.yaml'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), START_TIMEOUT_MS);
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Ready: ')) {
        clearTimeout(timer);
        resolve();
      }
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`exited with ${code}:\n${output}`));
    });
  });
  await ready.catch((error: unknown) => {
    // One that is only slow must not keep the port.
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output: () => output,
    exited,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
