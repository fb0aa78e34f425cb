import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Ajv2019, ValidateFunction } from 'ajv/dist/2019.js';

/** Within node_modules: a written validator requires parts of Ajv. */
const CACHE = resolve('node_modules', '.cache');
const load = createRequire(import.meta.url);

/**
 * Every test file has modules of its own. Loading Ajv and compiling the schemas that a file meets takes more CPU time
 * than most files' tests: the first file that meets a schema writes its validator, the others load it.
 */
export function openValidators(): void {
  mkdirSync(CACHE, { recursive: true });
  process.env.E2E_VALIDATORS = mkdtempSync(join(CACHE, 'validators-'));
}

export function removeValidators(): void {
  const { E2E_VALIDATORS } = process.env;
  if (E2E_VALIDATORS) rmSync(E2E_VALIDATORS, { recursive: true, force: true });
}

/** Without `openValidators`, as in fault runs, nothing is written. */
export async function validatorOf(schema: object): Promise<ValidateFunction> {
  const { E2E_VALIDATORS } = process.env;
  if (!E2E_VALIDATORS) return (await compiler()).compile(schema);
  const name = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
  const path = join(E2E_VALIDATORS, `${name}.cjs`);
  if (!existsSync(path)) await write(path, schema);
  return load(path) as ValidateFunction;
}

async function write(path: string, schema: object): Promise<void> {
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const ajv = await compiler();
  // The package's types do not say that Node adds another `default`.
  const code = (standalone as unknown as typeof standalone.default)(ajv, ajv.compile(schema));
  // Another worker may write or load the same file.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, code);
  renameSync(partial, path);
}

let ajv: Promise<Ajv2019> | undefined;

/** The schemas themselves are not checked: documentation.e2e.ts does that once. */
function compiler(): Promise<Ajv2019> {
  ajv ??= import('ajv/dist/2019.js').then(
    ({ Ajv2019: Ajv }) =>
      new Ajv({
        strict: false,
        allErrors: true,
        validateFormats: false,
        validateSchema: false,
        code: { source: true },
      }),
  );
  return ajv;
}
