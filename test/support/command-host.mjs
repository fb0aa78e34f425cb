/**
 * Runs commands of the built CLI one after another in one process, because loading the framework takes seconds of
 * processor time for each. Started by command-server.ts.
 */
import { toExplanation } from '../../dist/src/cli/output.js';
import { buildProgram } from '../../dist/src/cli/program.js';

const write = { stdout: process.stdout.write, stderr: process.stderr.write };
let queue = Promise.resolve();

async function run({ id, args, settings }) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) process[name].write = (text) => Boolean((written[name] += text));
  process.env = settings;
  process.exitCode = 0;
  try {
    await buildProgram().parseAsync(['node', 'cli', ...args]);
  } catch (error) {
    const { exitCode, text } = toExplanation(error);
    if (text !== null) written.stderr += `${text}\n`;
    process.exitCode = exitCode;
  }
  for (const name of ['stdout', 'stderr']) process[name].write = write[name];
  process.send({ id, code: Number(process.exitCode), output: written.stdout, problem: written.stderr });
  process.exitCode = 0;
}

process.on('message', (asked) => (queue = queue.then(() => run(asked))));
process.on('disconnect', () => process.exit());
