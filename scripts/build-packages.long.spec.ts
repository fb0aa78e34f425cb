import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Prints the modules of packages that the application loads, with the ones that are required. */
const LOADED = `
import { createRequire, register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
const hooks = \`
let port;
export const initialize = (data) => void (port = data.port);
export async function load(url, context, next) {
  port.postMessage(url);
  return next(url, context);
}\`;
const { port1, port2 } = new MessageChannel();
const urls = [];
port1.on('message', (url) => urls.push(url)).unref();
register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] });
await import(pathToFileURL('dist/src/app.setup.js').href);
const required = Object.keys(createRequire(import.meta.url).cache).map((file) => pathToFileURL(file).href);
setImmediate(() => {
  console.log(JSON.stringify([...new Set([...urls, ...required])]));
  process.exit();
});
`;

/** Of a file, the package that it belongs to. */
const packageOf = (url: string): string => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '';

it('an application that starts loads each joined package once, in few files', () => {
  const loaded = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', LOADED], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    }),
  ) as string[];
  const joined = readdirSync('dist/node_modules', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('package.json'))
    .map((name) => join(name, '..'));
  expect(joined).toEqual(expect.arrayContaining(['@nestjs/core', 'typeorm', 'rxjs']));
  const files = loaded.filter((url) => url.includes('/node_modules/'));
  const installed = files.filter((url) => !url.includes('/dist/node_modules/'));
  expect(installed.filter((url) => joined.includes(packageOf(url)))).toEqual([]);
  expect(files.length).toBeLessThan(600);
});

/** Prints the names of exported classes, joined and installed, that differ. */
const RENAMED = `
import { pathToFileURL } from 'node:url';
const isClass = (value) => typeof value === 'function' && String(value).startsWith('class');
const renamed = [];
for (const name of ['@nestjs/common', '@nestjs/core', '@nestjs/swagger', 'fastify', 'prom-client', 'typeorm', 'undici']) {
  const joined = await import(pathToFileURL('dist/node_modules/' + name + '/index.mjs').href);
  const installed = Object.entries(await import(name)).filter(([, value]) => isClass(value));
  for (const [key, value] of installed) if (joined[key]?.name !== value.name) renamed.push(name + ' ' + key);
}
console.log(JSON.stringify(renamed));
process.exit();
`;

it('classes of joined packages keep their names, which errors and logs show', () => {
  const renamed = execFileSync(process.execPath, ['--input-type=module', '--eval', RENAMED], {
    encoding: 'utf8',
  });
  expect(JSON.parse(renamed)).toEqual([]);
});
