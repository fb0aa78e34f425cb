/**
 * node scripts/build-widget.mjs: bundles widget/ into dist/widget/embed.js, the script for web pages. With `--watch`
 * it bundles after each change until its input ends, and writes `built` each time.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');

const options = {
  entryPoints: [join(ROOT, 'widget', 'main.ts')],
  outfile: join(ROOT, 'dist', 'widget', 'embed.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  // The service inserts the path of its API here.
  define: { API_PATH: '"%API_PATH%"' },
  legalComments: 'none',
  logLevel: 'warning',
};

if (process.argv.includes('--watch')) {
  const tell = (pipeline) =>
    pipeline.onEnd(({ errors }) => {
      if (errors.length === 0) process.stdout.write('built\n');
    });
  const watched = await context({ ...options, plugins: [{ name: 'tell', setup: tell }] });
  await watched.watch();
  process.stdin.resume().on('end', () => void watched.dispose());
} else await build(options);
