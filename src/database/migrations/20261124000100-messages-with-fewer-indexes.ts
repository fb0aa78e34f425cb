import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Writes fewer index entries for a message. A delivery report that moves it from `sent` to `delivered` leaves the
 * indexes alone: `status` is in the condition of none of them, and pages of messages written from now on keep room for
 * the new version of a row. Most messages have no `request_id`, and none has a `sms_sid` at first: those are not indexed.
 */
export class MessagesWithFewerIndexes20261124000100 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sms_messages SET (fillfactor = 75);
      UPDATE sms_messages SET check_at = NULL WHERE check_at IS NOT NULL AND status <> 'pending';
      DROP INDEX sms_messages_account_check;
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE check_at IS NOT NULL;
      ALTER TABLE sms_messages DROP CONSTRAINT sms_messages_request_id_key, DROP CONSTRAINT sms_messages_sms_sid_key;
      CREATE UNIQUE INDEX sms_messages_request_id ON sms_messages (request_id) WHERE request_id IS NOT NULL;
      CREATE UNIQUE INDEX sms_messages_sms_sid ON sms_messages (sms_sid) WHERE sms_sid IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX sms_messages_sms_sid, sms_messages_request_id;
      ALTER TABLE sms_messages ADD CONSTRAINT sms_messages_sms_sid_key UNIQUE (sms_sid),
        ADD CONSTRAINT sms_messages_request_id_key UNIQUE (request_id);
      DROP INDEX sms_messages_account_check;
      CREATE INDEX sms_messages_account_check ON sms_messages (account_id, check_at, id) WHERE status = 'pending';
      ALTER TABLE sms_messages RESET (fillfactor);
    `);
  }
}
