import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the lead that calls. */
export class CallersAsLeads20261122000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CREATE INDEX leads_caller ON leads (account_id, phone_number)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX leads_caller');
  }
}
