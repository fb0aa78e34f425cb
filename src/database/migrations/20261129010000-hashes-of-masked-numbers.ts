import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which a call is found for a person whose number was masked. What was masked before has none. */
export class HashesOfMaskedNumbers20261129010000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE calls ADD COLUMN number_hashes text[];
      CREATE INDEX calls_number_hashes ON calls USING gin (number_hashes) WHERE number_hashes IS NOT NULL;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE calls DROP COLUMN number_hashes;');
  }
}
