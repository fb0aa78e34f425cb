import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers whose erasure was requested, for imports that are running then. */
export class ErasedNumbers20261129030000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE erased_numbers (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        number_hash text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX erased_numbers_account ON erased_numbers (account_id, id);
      CREATE INDEX erased_numbers_age ON erased_numbers (created_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE erased_numbers;');
  }
}
