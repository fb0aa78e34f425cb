import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the calls of a lead. */
export class CallsOfLeads20261122009000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX calls_lead ON calls (lead_id) WHERE lead_id IS NOT NULL');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX calls_lead');
  }
}
