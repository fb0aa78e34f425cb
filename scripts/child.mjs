import { spawn } from 'node:child_process';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end and passes on the signals that we get meanwhile.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(chunk: Buffer) => void} [onOutput] gets what the command writes where `options.stdio` says pipe
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null}>} `signal`: the one that ended it or us
 */
export function runChild(file, args, options, onOutput = () => undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    let received = null;
    const passOn = (signal) => {
      received = signal;
      child.kill(signal);
    };
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const settle = (finish) => {
      for (const signal of PASSED_ON) process.off(signal, passOn);
      finish();
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.on('error', (error) => settle(() => reject(error)));
    child.on('close', (code, signal) => {
      // Some commands turn a signal into an exit code of their own.
      const cut = signal ?? (code === 0 ? null : received);
      settle(() => resolve({ code: cut ? null : code, signal: cut }));
    });
  });
}

/** Ends this process as the other one ended, so that whoever waits for us sees no difference. Never returns. */
export async function exitLike({ code, signal }) {
  if (!signal) process.exit(code ?? 1);
  const alive = setInterval(() => process.exit(1), 1_000);
  process.kill(process.pid, signal);
  await new Promise(() => alive);
}
