import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallAttempts20261126000819 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE call_attempts (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        call_id int NOT NULL UNIQUE,
        campaign_id int,
        lead_id int,
        contact_id int,
        phone_number text NOT NULL,
        state text NOT NULL DEFAULT 'requesting' CHECK (state IN ('requesting', 'placed', 'closed')),
        slot_until timestamptz NOT NULL,
        outcome text,
        created_at timestamptz NOT NULL DEFAULT now(),
        closed_at timestamptz,
        lead_status text
      );
      CREATE UNIQUE INDEX call_attempts_live_lead ON call_attempts (lead_id) WHERE state <> 'closed';
      CREATE UNIQUE INDEX call_attempts_live_number ON call_attempts (account_id, phone_number) WHERE state <> 'closed';
      CREATE INDEX call_attempts_slots ON call_attempts (account_id, campaign_id) WHERE state <> 'closed';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE call_attempts;
    `);
  }
}
