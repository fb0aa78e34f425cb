import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes deliveries cheaper to write. To compress a body with pglz took as long as all else that its row needs: without
 * lz4 it is stored as it is, until its retention ends. An attempt is written by the statement that updates its delivery,
 * so its foreign key could not fail: it goes with its delivery by a trigger instead. It is known by delivery and number.
 */
export class LighterDeliveries20261125000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const [{ hasLz4 }]: [{ hasLz4: boolean }] = await db.query(
      `SELECT attcompression = 'l' AS "hasLz4" FROM pg_attribute
        WHERE attrelid = 'webhook_deliveries'::regclass AND attname = 'body'`,
    );
    if (!hasLz4) await db.query('ALTER TABLE webhook_deliveries ALTER COLUMN body SET STORAGE EXTERNAL');
    await db.query(`
      ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_delivery_id_fkey;
      DROP INDEX webhook_attempts_delivery;
      ALTER TABLE webhook_attempts DROP COLUMN id, ADD PRIMARY KEY (delivery_id, number);

      CREATE FUNCTION remove_webhook_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM webhook_attempts USING gone WHERE delivery_id = gone.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER remove_attempts AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION remove_webhook_attempts();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER remove_attempts ON webhook_deliveries;
      DROP FUNCTION remove_webhook_attempts();
      ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_pkey,
        ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        ADD FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries ON DELETE CASCADE;
      CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, number);
      ALTER TABLE webhook_deliveries ALTER COLUMN body SET STORAGE EXTENDED;
    `);
  }
}
