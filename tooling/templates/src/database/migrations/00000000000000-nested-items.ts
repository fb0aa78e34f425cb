import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NestedItems00000000000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE nested_items (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        sample_item_id int NOT NULL REFERENCES sample_items ON DELETE CASCADE,
        name text NOT NULL,
        note text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX nested_items_account ON nested_items (account_id);
      CREATE INDEX nested_items_parent ON nested_items (sample_item_id, created_at DESC, id DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE nested_items');
  }
}
