/** npm run migration:create -- NAME: writes a migration and its line in src/database/migrations/index.ts. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join('src', 'database', 'migrations');
const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The placeholder is no valid SQL: an unfinished migration fails. */
const template = (className) => `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(\`
      ALTER TABLE table_name ADD COLUMN column_name text;
    \`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(\`
      ALTER TABLE table_name DROP COLUMN column_name;
    \`);
  }
}
`;

/**
 * @param {string} root of the project
 * @param {string} name in kebab-case
 * @param {Date} now
 * @returns {string} the path of the new file
 * @throws {Error} when the name is invalid
 */
export function createMigration(root, name, now = new Date()) {
  if (!KEBAB_CASE.test(name)) throw new Error(`"${name}" is no name in kebab-case, such as lead-reminders.`);
  const existing = readdirSync(join(root, FOLDER)).filter((file) => /^\d{14}-/.test(file));
  if (existing.some((file) => file.slice(15) === `${name}.ts`)) {
    throw new Error(`There is a migration ${name} already.`);
  }
  const number = nextNumber(existing, now);
  const className = pascal(name) + number;
  const path = join(FOLDER, `${number}-${name}.ts`);
  writeFileSync(join(root, path), template(className));
  register(join(root, FOLDER, 'index.ts'), className, `./${number}-${name}.js`);
  return path;
}

/** The time in UTC, but always after the newest migration. */
function nextNumber(files, now) {
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const newest =
    files
      .map((file) => file.slice(0, 14))
      .sort()
      .at(-1) ?? '0';
  return time > newest ? time : String(BigInt(newest) + 1n);
}

function register(path, className, specifier) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const lastImport = lines.findLastIndex((line) => line.startsWith('import '));
  lines.splice(lastImport + 1, 0, `import { ${className} } from '${specifier}';`);
  const begin = lines.findIndex((line) => line.startsWith('export const MIGRATIONS'));
  const end = begin < 0 ? begin : lines.indexOf('];', begin);
  if (end < 0) throw new Error(`${path} has no list of migrations.`);
  lines.splice(end, 0, `  ${className},`);
  writeFileSync(path, lines.join('\n'));
}

const pascal = (kebab) => kebab.replace(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.url)));
    const path = createMigration(root, process.argv[2] ?? '');
    process.stdout.write(`${path}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\nusage: npm run migration:create -- NAME\n`);
    process.exit(2);
  }
}
