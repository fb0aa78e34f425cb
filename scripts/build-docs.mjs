/**
 * npm run docs — builds docs/ into dist/guide, a site with search; the service serves it at /guide. The generator is
 * installed in docs/node_modules, not with the service.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DOCS = join(ROOT, 'docs');
const OUTPUT = join(ROOT, 'dist', 'guide');
const INSTALLED = join(DOCS, 'node_modules', '.package-lock.json');
const LOCK_FILE = join(DOCS, 'package-lock.json');
const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)([^>]*)>(.+?)<\/script>/gs;
const COMPRESSED = /\.(js|css|html|json|svg)$/;

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function run(command, args) {
  const options = { cwd: DOCS, stdio: 'inherit', shell: process.platform === 'win32' };
  const { status } = spawnSync(command, args, options);
  if (status !== 0) process.exit(status ?? 1);
}

/** The content security policy of the pages allows files of this origin only. @returns the page without inline scripts */
export function withoutInlineScripts(html, writeScript) {
  return html.replace(INLINE_SCRIPT, (_whole, attributes, code) => {
    const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    writeScript(name, code);
    return `<script${attributes} src="/guide/${name}"></script>`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(INSTALLED) || modifiedAt(LOCK_FILE) > modifiedAt(INSTALLED)) {
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  run(process.execPath, [join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build']);
  const files = readdirSync(OUTPUT, { recursive: true }).map((name) => join(OUTPUT, name));
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const write = (name, code) => writeFileSync(join(OUTPUT, name), code);
    writeFileSync(file, withoutInlineScripts(readFileSync(file, 'utf8'), write));
  }
  for (const file of files.filter((name) => COMPRESSED.test(name))) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
  }
}
