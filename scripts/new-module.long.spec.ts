import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { fillIn, insertLine, namesOf, newModule, removeModule } from './new-module.mjs';

interface Options {
  name: string;
  parent?: string;
  singular?: string;
  console?: boolean;
  now?: Date;
}
type Command = (root: string, options: Options) => Promise<string[]>;

const COPIED = [
  '.prettierrc.json',
  'tooling/templates',
  'src/app.module.ts',
  'src/database/migrations',
  'scripts/structure.mjs',
  'docs/build/architecture.md',
  'test/resources',
  'console/src/app/router.ts',
  'console/src/app/navigation.ts',
  'console/src/texts/en.ts',
];
const NOW = new Date('2031-02-03T04:05:06.789Z');

/** The parts of the project that the command requires. */
let project: string;
/** A copy for one test. */
let root: string;
const write = (options: Options) => (newModule as Command)(root, { now: NOW, ...options });
const remove = (name: string) => (removeModule as Command)(root, { name });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every file of the copy with its text. */
const snapshot = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .map((path) => [path, read(path)]),
  );

describe('new:module', () => {
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'new-module-'));
    for (const path of COPIED) cpSync(path, join(project, path), { recursive: true });
    const isAsked = (path: string): boolean => !path.endsWith('.ts') || /\.(service|errors)\.ts$/.test(path);
    cpSync('src/modules', join(project, 'src/modules'), { recursive: true, filter: isAsked });
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'new-module-'));
    cpSync(project, root, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    ['a plain module', { name: 'trial-notes' }, "@Controller('user/trial-notes')"],
    [
      'a nested module',
      { name: 'trial-notes', parent: 'leads' },
      "@Controller('user/leads/:leadId/trial-notes')",
    ],
  ])(
    'writes %s with names in every spelling, and lists it everywhere',
    async (_, options: Options, controller) => {
      const paths = await write(options);
      expect(paths.sort()).toEqual([
        'src/database/migrations/20310203040506-trial-notes.ts',
        'src/modules/trial-notes/dto/trial-note-input.dto.ts',
        'src/modules/trial-notes/dto/trial-note.response.ts',
        'src/modules/trial-notes/entities/trial-note.entity.ts',
        'src/modules/trial-notes/trial-notes.controller.ts',
        'src/modules/trial-notes/trial-notes.errors.ts',
        'src/modules/trial-notes/trial-notes.module.ts',
        'src/modules/trial-notes/trial-notes.service.ts',
        'test/resources/trial-notes.ts',
        'test/trial-notes/trial-notes.e2e.ts',
      ]);
      expect(paths.filter((path) => /(sample|nested)[-_ ]?item|0{14}/i.test(read(path)))).toEqual([]);
      expect(read('src/modules/trial-notes/trial-notes.controller.ts')).toContain(controller);
      expect(read('src/modules/trial-notes/trial-notes.errors.ts')).toContain(
        "super('Trial note not found')",
      );
      expect(read('src/database/migrations/20310203040506-trial-notes.ts')).toContain(
        'CREATE TABLE trial_notes (',
      );
      expect(read('src/app.module.ts')).toMatch(/\n {8}TrialNotesModule,\n {6}\]/);
      expect(read('src/database/migrations/index.ts')).toMatch(/\n {2}TrialNotes20310203040506,\n\];/);
      expect(read('scripts/structure.mjs')).toContain("  'modules/trial-notes',\n  'app',");
      expect(read('docs/build/architecture.md')).toMatch(/\d+\. `modules\/trial-notes`\n\d+\. `app`/);
      expect(read('docs/build/architecture.md')).toContain(
        options.parent ? '\n  trial-notes --> leads\n```' : '\n  trial-notes\n```',
      );
      expect(read('test/resources/index.ts')).toMatch(/\n {2}trialNotes,\n\};/);
    },
  );

  it.each(['assistants', 'calls', 'campaigns', 'leads', 'tools'])('nests a module in %s', async (parent) => {
    await expect(write({ name: 'trial-tags', parent })).resolves.toHaveLength(10);
  });

  it('nests a module in a generated one, with a later migration', async () => {
    await write({ name: 'trial-notes' });
    await write({ name: 'trial-note-tags', parent: 'trial-notes' });
    const migration = read('src/database/migrations/20310203040507-trial-note-tags.ts');
    expect(migration).toContain('trial_note_id int NOT NULL REFERENCES trial_notes ON DELETE CASCADE');
    expect(read('src/modules/trial-note-tags/trial-note-tags.service.ts')).toContain(
      'this.trialNotes.ownsTrialNote(userId, trialNoteId)',
    );
  });

  it('writes a list page and a form page of the console, and lists them', async () => {
    const paths = await write({ name: 'trial-notes', console: true });
    expect(paths).toHaveLength(14);
    expect(paths.filter((path) => path.startsWith('console/')).sort()).toEqual([
      'console/src/pages/trial-notes/routes.ts',
      'console/src/pages/trial-notes/trial-note-form-page.tsx',
      'console/src/pages/trial-notes/trial-notes-page.tsx',
      'console/src/texts/en/trial-notes.ts',
    ]);
    expect(read('console/src/app/router.ts')).toMatch(/\n {4}\.\.\.trialNotesRoutes,\n {2}\]\),/);
    expect(read('console/src/app/navigation.ts')).toContain(
      "item('/trial-notes', t.trialNotes.title, Wrench)",
    );
    expect(read('console/src/texts/en.ts')).toMatch(/\n {2}trialNotes,\n\};/);
  });

  it.each([
    { name: 'trial-tags' },
    { name: 'trial-tags', parent: 'leads' },
    { name: 'trial-tags', console: true },
  ])('removes all files and lines (%j)', async (options: Options) => {
    const before = snapshot();
    await write(options);
    expect(snapshot()).not.toEqual(before);
    await remove('trial-tags');
    expect(snapshot()).toEqual(before);
  });

  it.each([
    ['a module that exists', { name: 'leads' }, /src\/modules\/leads exists already/],
    ['a table that exists', { name: 'ledger-entries' }, /creates a table ledger_entries/],
    ['a name that is not in kebab-case', { name: 'trialNotes' }, /kebab-case/],
    ['a path', { name: '../trials' }, /kebab-case/],
    ['a name without a singular', { name: 'sms-press' }, /--singular/],
    ['a class name that the files use', { name: 'pages' }, /Page means something else/],
    ['a parent that does not exist', { name: 'trial-tags', parent: 'persons' }, /persons cannot be a parent/],
    ['pages below a parent', { name: 'trial-tags', parent: 'leads', console: true }, /gets no pages/],
    ['a parent without owns…', { name: 'trial-tags', parent: 'suppressions' }, /has no ownsSuppression/],
  ])('refuses %s and writes nothing', async (_, options, message) => {
    const before = snapshot();
    await expect(write(options)).rejects.toThrow(message);
    expect(snapshot()).toEqual(before);
  });

  it('does not remove a module that was not generated', async () => {
    const before = snapshot();
    await expect(remove('leads')).rejects.toThrow(/was not written by this command/);
    expect(snapshot()).toEqual(before);
  });
});

it('the pages that new:module writes pass the checks of the console, and build', async () => {
  const whole = mkdtempSync(join(tmpdir(), 'new-module-'));
  try {
    // Its database runs as another user.
    chmodSync(whole, 0o755);
    const isLeftOut = (path: string): boolean =>
      /^(.*\/node_modules|node_modules|dist|\.git|\.data)$/.test(path);
    cpSync('.', whole, { recursive: true, preserveTimestamps: true, filter: (path) => !isLeftOut(path) });
    for (const folder of ['node_modules', 'console/node_modules']) {
      symlinkSync(resolve(folder), join(whole, folder));
    }
    await (newModule as Command)(whole, { name: 'trial-notes', console: true });
    const run = (script: string): Buffer =>
      execFileSync(process.execPath, [script], { cwd: whole, stdio: ['ignore', 'pipe', 'pipe'] });
    // Against the OpenAPI document of a service with the module.
    run('scripts/console-types.mjs');
    run('scripts/build-console.mjs');
    expect(existsSync(join(whole, 'dist/console/index.html'))).toBe(true);
    const assets = readdirSync(join(whole, 'dist/console/assets'));
    expect(assets.filter((name) => /^trial-note(s|-form)-page-.*\.js$/.test(name))).toHaveLength(2);
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
});

describe('names', () => {
  it.each([
    ['reminders', 'reminder'],
    ['companies', 'company'],
    ['call-batches', 'call-batch'],
    ['call-boxes', 'call-box'],
    ['invoices', 'invoice'],
  ])('derives the singular of %s as %s', (plural, singular) => {
    expect((namesOf as (name: string) => object)(plural)).toEqual({ plural, singular });
  });

  it('replaces the placeholder in its spelling', () => {
    const names = { plural: 'trial-notes', singular: 'trial-note' };
    const filled = (text: string) => (fillIn as (...given: unknown[]) => string)(text, 'sample', names);
    expect(
      filled('sample-items sampleItem SampleItemsService sample_item_id Sample item, sample items'),
    ).toBe('trial-notes trialNote TrialNotesService trial_note_id Trial note, trial notes');
  });

  it('fails when a list is not found', () => {
    const insert = insertLine as (text: string, place: object) => string;
    expect(() => insert('a\nb', { inside: ['LIST = [', /^\];$/], line: 'x' })).toThrow(/found no list/);
  });
});
