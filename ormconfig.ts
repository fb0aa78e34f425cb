import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';

/** By the sources: `dist` may still hold entities that were deleted or renamed. */
const entities = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.entit(y|ies)\.ts$/.test(file))
  .map((file) => join(import.meta.dirname, 'src', file.replace(/\.ts$/, '.js')));

/**
 * For TypeORM's own command line, with DATABASE_URL set: `npx typeorm schema:log -d dist/ormconfig.js` compares the
 * entities with the database, `migration:show` lists the migrations.
 */
export default new DataSource({
  ...dataSourceOptions(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/calls'),
  entities,
});
