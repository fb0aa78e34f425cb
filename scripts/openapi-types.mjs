import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';

const MOST_OUTPUT = 16 * 1024 * 1024;
const GENERATOR = 'node_modules/openapi-typescript/bin/cli.js';

/** Runs a script of the project, or of a package. */
export const run = (script, ...args) =>
  execFileSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, maxBuffer: MOST_OUTPUT });

/**
 * Writes the types of the service's OpenAPI document.
 *
 * @param {string} output the file
 * @param {(document: object) => object} change removes or renames parts of the document
 */
export async function writeOpenApiTypes(output, change = (document) => document) {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(change(JSON.parse(run('dist/src/cli/openapi.js').toString()))));
    // By default the generator makes fields with a default required, in requests too.
    run(GENERATOR, file, '--default-non-nullable=false', '--output', output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
