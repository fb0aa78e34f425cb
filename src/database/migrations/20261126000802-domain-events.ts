import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DomainEvents20261126000802 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE domain_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        payload jsonb NOT NULL,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'dead')),
        attempts int NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        account_id int GENERATED ALWAYS AS (COALESCE(((payload ->> 'accountId'))::integer, 0)) STORED
      );
      CREATE INDEX domain_events_account_due ON domain_events (account_id, due_at, id) WHERE state = 'pending';

      -- With it TypeORM compares the expression of the generated column.
      INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
        SELECT 'GENERATED_COLUMN', current_database(), current_schema(), 'domain_events', 'account_id',
               pg_get_expr(adbin, adrelid)
          FROM pg_attrdef WHERE adrelid = 'domain_events'::regclass AND adnum =
            (SELECT attnum FROM pg_attribute WHERE attrelid = adrelid AND attname = 'account_id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DELETE FROM typeorm_metadata WHERE "table" = 'domain_events';
      DROP TABLE domain_events;
    `);
  }
}
