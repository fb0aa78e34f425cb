import { execFile } from 'node:child_process';
import { ENCRYPTION_KEYS } from '../../tooling/harness/server-process.js';

export interface Outcome {
  code: number;
  output: string;
  problem: string;
}

const MOST_OUTPUT = 16 * 1024 * 1024;

/** Runs a Node program. Resolves for any exit code. */
export function run(script: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env, maxBuffer: MOST_OUTPUT }, (error, output, problem) =>
      resolve({ code: Number(error?.code ?? 0), output, problem }),
    );
  });
}

/** Runs a CLI command beside the service under test, with no other settings, in a process of its own. */
export function runBuilt(
  script: string,
  args: string[] = [],
  settings: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return run(`dist/src/cli/${script}`, args, environment(settings));
}

/** As `runBuilt('main.js', …)`, in one process for all commands of the suite, which is faster. */
export async function runCommand(args: string[], settings: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const response = await fetch(process.env.E2E_COMMANDS_URL ?? '', {
    method: 'POST',
    body: JSON.stringify({ args, settings: environment(settings) }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { code, output, problem } = (await response.json()) as Outcome;
  return { code, output, problem };
}

/** Of a command beside the service under test. */
export function environment(settings: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, E2E_DATABASE_URL, E2E_DATA_DIR } = process.env;
  return {
    PATH,
    HOME,
    // A busy machine takes its time.
    PGCONNECT_TIMEOUT: '60',
    ...(E2E_DATABASE_URL ? { DATABASE_URL: E2E_DATABASE_URL, ENCRYPTION_KEYS } : { DATA_DIR: E2E_DATA_DIR }),
    ...(settings.DATABASE_URL && { ENCRYPTION_KEYS }),
    ...settings,
  };
}
