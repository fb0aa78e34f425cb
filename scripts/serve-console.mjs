/**
 * node scripts/serve-console.mjs: serves console/ from its sources until its input ends. Uses the API of the service
 * at `PORT`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..');

const server = await createServer({ configFile: join(ROOT, 'console', 'vite.config.ts') });
await server.listen();
server.printUrls();
process.stdin.resume().on('end', () => void server.close());
