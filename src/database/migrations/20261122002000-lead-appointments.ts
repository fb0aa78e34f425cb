import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status that a scheduled lead had before, for an appointment that is taken back. */
export class LeadAppointments20261122002000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE leads ADD COLUMN unscheduled_status text');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE leads DROP COLUMN unscheduled_status');
  }
}
