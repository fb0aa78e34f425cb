/**
 * node scripts/compile.mjs: compiles the sources of tsconfig.build.json into dist without a type check (see `npm run
 * check:types`), and copies `.sql` and `.yaml` files.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { copyDataFiles, readSources } from './sources.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const OUT = join(ROOT, 'dist');

/** @param {string} file relative to the root, e.g. `src/main.ts` */
async function compile(file) {
  const output = join(OUT, file.replace(/\.ts$/, '.js'));
  const sourceFileName = relative(dirname(output), join(ROOT, file));
  const { code, map } = await transformFile(join(ROOT, file), {
    cwd: ROOT,
    sourceMaps: true,
    sourceFileName,
    module: { type: 'es6' },
  });
  await mkdir(dirname(output), { recursive: true });
  await Promise.all([writeFile(output, code), writeFile(`${output}.map`, map)]);
}

const isCompiled = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('widget');
await Promise.all(readSources(ROOT).files.filter(isCompiled).map(compile));
copyDataFiles(ROOT);
