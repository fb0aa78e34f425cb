/** npm run sdk: generates the TypeScript client in `clients/typescript` out of the OpenAPI document, and builds it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';

const CLIENT = join(ROOT, 'clients/typescript');
const MOST_OUTPUT = 16 * 1024 * 1024;

const run = (script, ...args) =>
  execFileSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, maxBuffer: MOST_OUTPUT });

await prepare();
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
try {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, run('dist/src/cli/openapi.js'));
  // By default the generator makes what has a default required, in requests too.
  const output = ['--output', join(CLIENT, 'src/api.ts')];
  run('node_modules/openapi-typescript/bin/cli.js', document, '--default-non-nullable=false', ...output);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
run('node_modules/typescript/bin/tsc', '--project', CLIENT);
process.stdout.write('built clients/typescript\n');
