import { spawn } from 'node:child_process';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end and forwards the signals of this process.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(chunk: Buffer) => void} [onOutput] receives the output piped by `options.stdio`
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null}>} `signal`: the signal that ended the
 * command or this process
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
      // Some commands convert a signal to an exit code.
      const cut = signal ?? (code === 0 ? null : received);
      settle(() => resolve({ code: cut ? null : code, signal: cut }));
    });
  });
}

/** Ends this process with the same exit code or signal. Never returns. */
export async function exitLike({ code, signal }) {
  if (!signal) process.exit(code ?? 1);
  const alive = setInterval(() => process.exit(1), 1_000);
  process.kill(process.pid, signal);
  await new Promise(() => alive);
}
