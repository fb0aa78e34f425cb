import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ROUTES } from '../support/routes.js';

/** What docs/build/add-a-module.md says, held against the modules that are there. */
const MODULES = 'src/modules';
const read = (path: string): string => readFileSync(path, 'utf8');
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
const sources = filesOf(MODULES)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: read(join(MODULES, file)), module: file.split('/')[0] ?? '' }));

/** Controllers that users and web pages call carry one of these; the carrier's callbacks do not. */
const controllers = sources.filter(({ text }) => /^@Api(Resource|Tags)\(/m.test(text));
const domainModules = [...new Set(controllers.map(({ module }) => module))].sort();

/**
 * The methods of a controller that answer a route; a handler's name is its operation id. One with several paths has the
 * operation `…Alias` too.
 */
const handlersOf = (text: string): { name: string; body: string; hasAlias: boolean }[] =>
  text
    .split(/\n {2}@(?:Get|Post|Put|Patch|Delete)\(/)
    .slice(1)
    .map((handler) => ({
      name: /\n {2}(?:async )?(\w+)\(/.exec(handler)?.[1] ?? '',
      body: /\)(?:: [^\n]+)? \{\n(.*?)\n {2}\}/s.exec(handler)?.[1]?.trim() ?? '',
      hasAlias: handler.startsWith('[') || /^@Controller\(\[/m.test(text),
    }));

/** One call of a service, whose result is the response or its `data`, or is followed by a message. */
const DELEGATES =
  /^(?:return this\.\w+\.\w+\([^;]*\);|(?:await this\.\w+\.\w+\([^;]*\);\s*)?return \{[^;]*\};)$/;

const className = (module: string): string =>
  `${module.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase())}Module`;

describe('docs/build/add-a-module.md', () => {
  it('describes these modules', () => {
    expect(domainModules).toEqual(
      expect.arrayContaining(['assistants', 'leads', 'sms', 'tools', 'webhooks']),
    );
  });

  describe.each(domainModules)('%s', (name) => {
    const files = filesOf(join(MODULES, name));

    it.each([
      ['its module', (file: string) => file === `${name}.module.ts`],
      ['a controller', (file: string) => /^([\w-]+\/)?[\w-]+\.controller\.ts$/.test(file)],
      ['a service', (file: string) => /^([\w-]+\/)?[\w-]+\.service\.ts$/.test(file)],
      ['DTOs', (file: string) => /^([\w-]+\/)?dto\/[\w-]+\.(dto|response)\.ts$/.test(file)],
    ])('has %s', (_what, isIt) => {
      expect(files.filter(isIt)).not.toEqual([]);
    });

    it('is wired in app.module.ts', () => {
      const imports = /\bimports: \[(.*?)\n {6}\]/s.exec(read('src/app.module.ts'))?.[1] ?? '';
      expect(imports.split(/[\s,]+/)).toContain(className(name));
    });

    it('has the files where the guide says', () => {
      for (const file of files) {
        if (file.endsWith('.dto.ts')) expect(file).toMatch(/^([\w-]+\/)?dto\//);
        if (file.endsWith('.entity.ts')) expect(file).toMatch(/^entities\//);
        if (file.endsWith('.errors.ts')) expect(file).toBe(`${name}.errors.ts`);
      }
    });
  });

  it('has documented errors in the errors file of their module', () => {
    const errors = sources.filter(({ text }) =>
      /class \w+ extends (ApiError|NotFound|BadRequest|Unprocessable|Invalid)\b/.test(text),
    );
    expect(errors.length).toBeGreaterThan(5);
    expect(errors.map(({ file }) => file)).toEqual(
      errors.map(({ module }) => `${module}/${module}.errors.ts`),
    );
  });

  it('has handlers that only delegate', () => {
    for (const { file, text } of controllers) {
      const others = handlersOf(text).filter(({ body }) => !DELEGATES.test(body));
      expect([file, others]).toEqual([file, []]);
    }
  });

  it('has every route in the table of the matrix', () => {
    const names = controllers.flatMap(({ text }) =>
      handlersOf(text).flatMap(({ name, hasAlias }) => (hasAlias ? [name, `${name}Alias`] : [name])),
    );
    expect(names.sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it('has every migration with up and down in the list', () => {
    const folder = 'src/database/migrations';
    const files = readdirSync(folder).filter((file) => file !== 'index.ts');
    const index = read(join(folder, 'index.ts'));
    for (const file of files) {
      expect(file).toMatch(/^\d{14}-[\w-]+\.ts$/);
      expect(index).toContain(`'./${basename(file, '.ts')}.js'`);
      expect(read(join(folder, file))).toMatch(/async up\(.*async down\(/s);
    }
    const listed = [...index.matchAll(/^ {2}(\w+),$/gm)];
    expect(listed).toHaveLength(files.length);
  });

  it('refers to existing files only', () => {
    const page = read('docs/build/add-a-module.md');
    const named = [...page.matchAll(/`((?:src|test|templates|scripts)\/[\w./-]+|#src\/[\w./-]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) {
      expect([path, existsSync(path.replace(/^#(.*)\.js$/, '$1.ts'))]).toEqual([path, true]);
    }
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['test', 'check', 'new:module']));
  });
});
