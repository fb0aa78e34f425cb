import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EntityManager } from 'typeorm';

/** `src`, or `dist/src` after the build. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface SqlFile {
  /** Relative to `src`. */
  name: string;
  text: string;
  hash: string;
}

/**
 * Applies the files of functions, views and triggers with a changed text. Each can be applied repeatedly (`CREATE OR
 * REPLACE`). docs/build/database-rules.md has the rules.
 *
 * @param all also those that have not changed: a migration may have dropped what they create
 */
export async function applySqlFiles(tx: EntityManager, { all }: { all: boolean }): Promise<void> {
  await tx.query('CREATE TABLE IF NOT EXISTS sql_files (name text PRIMARY KEY, hash text NOT NULL)');
  const applied = await tx.query<{ name: string; hash: string }[]>('SELECT name, hash FROM sql_files');
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
  const files = readSqlFiles();
  const changed = files.filter(({ name, hash }) => all || hashes.get(name) !== hash);
  if (changed.length === 0) return;
  // A function may call one that is created after it.
  await tx.query('SET LOCAL check_function_bodies = off');
  for (const { text } of changed) await tx.query(text);
  await tx.query('DELETE FROM sql_files');
  await tx.query('INSERT INTO sql_files SELECT * FROM unnest($1::text[], $2::text[])', [
    files.map(({ name }) => name),
    files.map(({ hash }) => hash),
  ]);
}

/** After a migration was undone: the next start, perhaps of the version before, applies its own. */
export async function clearAppliedSqlFiles(tx: EntityManager): Promise<void> {
  await tx.query('DROP TABLE IF EXISTS sql_files');
}

function readSqlFiles(): SqlFile[] {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\/sql\/.*\.sql$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }))
    .map(({ name, text }) => ({ name, text, hash: createHash('sha256').update(text).digest('hex') }))
    .sort((one, other) => rank(one.text) - rank(other.text) || (one.name < other.name ? -1 : 1));
}

/** Views call functions, and the conditions of triggers do. */
const rank = (text: string): number =>
  /^CREATE OR REPLACE TRIGGER/m.test(text) ? 2 : /^CREATE OR REPLACE VIEW/m.test(text) ? 1 : 0;
