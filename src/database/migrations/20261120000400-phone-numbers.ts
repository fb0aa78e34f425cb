import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PhoneNumbers20261120000400 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE phone_numbers (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
        phone_number text NOT NULL UNIQUE,
        nickname text,
        country_code char(2) NOT NULL,
        type text NOT NULL DEFAULT 'local',
        sms_capable boolean NOT NULL DEFAULT false,
        region text,
        subscription_expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX phone_numbers_account ON phone_numbers (account_id, id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE phone_numbers');
  }
}
