import { exitOnClosedPipe, toExplanation } from './output.js';
import { buildProgram } from './program.js';

exitOnClosedPipe();
try {
  await buildProgram().parseAsync();
} catch (error) {
  const { exitCode, text } = toExplanation(error);
  if (text !== null) process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
