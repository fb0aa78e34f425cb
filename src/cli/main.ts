import { endWithReader, explain } from './output.js';
import { buildProgram } from './program.js';

endWithReader();
try {
  await buildProgram().parseAsync();
} catch (error) {
  const { exitCode, text } = explain(error);
  if (text !== null) process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
