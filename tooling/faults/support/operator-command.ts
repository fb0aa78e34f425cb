import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENCRYPTION_KEYS } from '../../harness/server-process.js';

/** Runs a command of the CLI. */
export async function operatorCommand(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ['dist/src/cli/main.js', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...(env.DATABASE_URL && { ENCRYPTION_KEYS }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}
