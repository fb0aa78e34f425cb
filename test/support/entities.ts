import { readdirSync } from 'node:fs';
import { getMetadataArgsStorage } from 'typeorm';

/** The classes of all tables, for a DataSource of a test. */
export async function allEntities() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.entit(y|ies)\.ts$/.test(name))) {
    await import(`../../src/${file.replaceAll('\\', '/')}`);
  }
  return getMetadataArgsStorage().tables.map(({ target }) => target);
}
