import { exitOnClosedPipe, explainError } from './output.js';
import { buildProgram } from './program.js';

exitOnClosedPipe();
try {
  await buildProgram().parseAsync();
} catch (error) {
  const { exitCode, text } = explainError(error);
  if (text !== null) process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
