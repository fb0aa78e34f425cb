import type { MigrationInterface, QueryRunner } from 'typeorm';

const setTypes = (types: string): string => `
  ALTER TABLE chats DROP CONSTRAINT chats_type_check, ADD CONSTRAINT chats_type_check CHECK (type IN (${types}))`;

/** Conversations of the API, found by what a client calls its customer; a person can answer in the assistant's place. */
export class ConversationsOfCustomers20261126000500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ${setTypes("'widget', 'test', 'api'")};
      ALTER TABLE chats
        ADD COLUMN external_identifier text,
        ADD COLUMN ai_enabled boolean NOT NULL DEFAULT true,
        ADD COLUMN silence_minutes int NOT NULL DEFAULT 10;
      CREATE UNIQUE INDEX chats_active_customer ON chats (assistant_id, external_identifier)
        WHERE external_identifier IS NOT NULL AND state = 'active';
      CREATE INDEX chats_account_customer ON chats (account_id, external_identifier, created_at DESC, id DESC)
        WHERE external_identifier IS NOT NULL;
    `);
  }

  /** Those of the API were paid like those of pages. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE chats SET type = 'widget' WHERE type = 'api';
      ${setTypes("'widget', 'test'")};
      DROP INDEX chats_active_customer, chats_account_customer;
      ALTER TABLE chats DROP COLUMN external_identifier, DROP COLUMN ai_enabled, DROP COLUMN silence_minutes;
    `);
  }
}
