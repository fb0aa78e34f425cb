import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg)$/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes `x.js.br` and `x.js.gz` beside `x.js`: the service sends them as they are. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '.' }) {
      const folder = join(dir, 'assets');
      const names = (await readdir(folder)).filter((name) => TEXT.test(name));
      await Promise.all(names.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [small, smaller] = await Promise.all([zip(content), brotli(content)]);
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)]);
}
