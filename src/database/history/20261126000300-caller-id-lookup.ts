import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assistants decide for which callers of inbound calls leads are searched. */
export class CallerIdLookup20261126000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants ADD COLUMN caller_id_lookup text NOT NULL DEFAULT 'always'
        CONSTRAINT assistants_caller_id_lookup_check CHECK (caller_id_lookup IN ('always', 'attested', 'never'))
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE assistants DROP COLUMN caller_id_lookup');
  }
}
