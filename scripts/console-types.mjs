/**
 * node scripts/console-types.mjs: generates console/src/api/schema.d.ts from the OpenAPI document when a source of
 * the service is newer, then checks the types of the console: a renamed field of the API fails here.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitLike, runChild } from './child.mjs';
import { writeOpenApiTypes } from './openapi-types.mjs';
import { ROOT } from './prepare.mjs';
import { readSources } from './sources.mjs';

const SCHEMA = join(ROOT, 'console', 'src', 'api', 'schema.d.ts');
const STAMP = join(ROOT, 'dist', '.console-types');
/** The console requests the URL of the API from the service. */
const PREFIX = /^\/api(?=\/)/;

const withoutPrefix = (document) => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path.replace(PREFIX, ''), item]),
  ),
});

const { digest } = readSources(ROOT);
const isCurrent = existsSync(SCHEMA) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest;
if (!isCurrent) {
  await writeOpenApiTypes(SCHEMA, withoutPrefix);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, digest);
}
const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
if (!process.argv.includes('--generate-only')) {
  await exitLike(
    await runChild(process.execPath, [compiler, '-p', 'console'], { cwd: ROOT, stdio: 'inherit' }),
  );
}
