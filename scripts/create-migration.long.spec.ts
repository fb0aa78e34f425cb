import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error The scripts run without a build and are plain JavaScript.
import { createMigration } from './create-migration.mjs';

const create = createMigration as (root: string, name: string, now?: Date) => string;

const INDEX = `import { Accounts20261120000100 } from './20261120000100-accounts.js';

export const BASELINE = [
  Accounts20261120000100,
];

/** In the order of their numbers. */
export const MIGRATIONS = [
  ...BASELINE,
  // Changes since:
];
`;

describe('migration:create', () => {
  const folder = 'src/database/migrations';
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'migration-'));
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'index.ts'), INDEX);
    writeFileSync(join(root, folder, '20261120000100-accounts.ts'), '');
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const read = (path: string) => readFileSync(join(root, path), 'utf8');

  it('writes the file with up and down, and its lines in the list', () => {
    const path = create(root, 'lead-reminders', new Date('2026-12-01T08:09:10.999Z'));
    expect(path).toBe(`${folder}/20261201080910-lead-reminders.ts`);
    expect(read(path)).toMatch(
      /export class LeadReminders20261201080910 implements MigrationInterface \{\n  async up\(.*async down\(/s,
    );
    expect(read(`${folder}/index.ts`))
      .toBe(`import { Accounts20261120000100 } from './20261120000100-accounts.js';
import { LeadReminders20261201080910 } from './20261201080910-lead-reminders.js';

export const BASELINE = [
  Accounts20261120000100,
];

/** In the order of their numbers. */
export const MIGRATIONS = [
  ...BASELINE,
  // Changes since:
  LeadReminders20261201080910,
];
`);
  });

  it('uses the number after the newest one when the clock is behind', () => {
    const early = new Date('2020-01-01T00:00:00Z');
    expect([create(root, 'a', early), create(root, 'b', early)]).toEqual([
      `${folder}/20261120000101-a.ts`,
      `${folder}/20261120000102-b.ts`,
    ]);
  });

  it.each(['', 'LeadReminders', '../x', 'lead_reminders', 'accounts'])('refuses the name "%s"', (name) => {
    expect(() => create(root, name)).toThrow(name === 'accounts' ? 'already' : 'kebab-case');
    expect(read(`${folder}/index.ts`)).toBe(INDEX);
  });
});
