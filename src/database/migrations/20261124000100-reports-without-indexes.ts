import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery report that moves a message from `sent` to `delivered` leaves the indexes alone: `status` is in the
 * condition of none of them, and pages of messages written from now on keep room for the new version of a row.
 */
export class ReportsWithoutIndexes20261124000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sms_messages SET (fillfactor = 75);
      UPDATE sms_messages SET check_at = NULL WHERE check_at IS NOT NULL AND status <> 'pending';
      DROP INDEX sms_messages_account_check;
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE check_at IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX sms_messages_account_check;
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE status = 'pending';
      ALTER TABLE sms_messages RESET (fillfactor);
    `);
  }
}
