/** node scripts/build-console.mjs: bundles console/ into dist/console; the service serves it at /console. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');

await build({ configFile: join(ROOT, 'console', 'vite.config.ts'), logLevel: 'warn' });
