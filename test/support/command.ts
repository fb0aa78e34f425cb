import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

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

let host: ChildProcess | undefined;
let asked = 0;

/** As `runBuilt('main.js', …)`, in one process for all commands of a test file, which is faster. */
export async function runCommand(args: string[], settings: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  if (!host) {
    host = fork('test/support/command-host.mjs', { env: environment({}), execArgv: [] });
    // Does not keep the test process alive; ends with it.
    host.unref();
    host.channel?.unref();
  }
  const id = (asked += 1);
  host.channel?.ref();
  host.send({ id, args, settings: environment(settings) });
  for (;;) {
    const [answer] = (await once(host, 'message')) as [Outcome & { id: number }];
    if (answer.id !== id) continue;
    host.channel?.unref();
    const { code, output, problem } = answer;
    return { code, output, problem };
  }
}

function environment(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, E2E_DATABASE_URL, E2E_DATA_DIR } = process.env;
  return {
    PATH,
    HOME,
    ...(E2E_DATABASE_URL ? { DATABASE_URL: E2E_DATABASE_URL } : { DATA_DIR: E2E_DATA_DIR }),
    ...settings,
  };
}
