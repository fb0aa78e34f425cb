import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From where API keys may be used, and were used last. */
export class ApiKeyAddresses20261128093659 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE access_tokens
        ADD COLUMN allowed_addresses text[] NOT NULL DEFAULT '{}',
        ADD COLUMN last_used_address text;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE access_tokens
        DROP COLUMN allowed_addresses,
        DROP COLUMN last_used_address;`);
  }
}
