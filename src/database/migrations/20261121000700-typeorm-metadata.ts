import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What TypeORM needs to compare entities with the database: a primary key for every table, and its own table with the
 * expressions of generated columns.
 */
export class TypeormMetadata20261121000700 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE installation ADD PRIMARY KEY (id);
      ALTER TABLE call_tallies ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY;
      CREATE TABLE IF NOT EXISTS typeorm_metadata (
        type varchar NOT NULL, database varchar, schema varchar, "table" varchar, name varchar, value text);
      DELETE FROM typeorm_metadata WHERE "table" = 'domain_events';
      INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
        SELECT 'GENERATED_COLUMN', current_database(), current_schema(), 'domain_events', 'account_id',
               pg_get_expr(adbin, adrelid)
          FROM pg_attrdef WHERE adrelid = 'domain_events'::regclass AND adnum =
            (SELECT attnum FROM pg_attribute WHERE attrelid = adrelid AND attname = 'account_id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE typeorm_metadata;
      ALTER TABLE call_tallies DROP COLUMN id;
      ALTER TABLE installation DROP CONSTRAINT installation_pkey;
    `);
  }
}
