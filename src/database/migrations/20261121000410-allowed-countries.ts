import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AllowedCountries20261121000410 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- ISO 3166-1 alpha-2 codes of the countries that may be called and written to; null: all.
      ALTER TABLE accounts ADD COLUMN allowed_countries text[];
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE accounts DROP COLUMN allowed_countries');
  }
}
