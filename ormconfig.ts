import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#src/database/data-source-options.js';

/** For TypeORM's own command line: `npx typeorm migration:show -d dist/ormconfig.js` with DATABASE_URL set. */
export default new DataSource(
  dataSourceOptions(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/calls'),
);
