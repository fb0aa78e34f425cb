import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A failing carrier holds back all campaigns, by account at the carrier, and no longer each one by itself. */
export class CarrierBreakers20261122009200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE carrier_breakers (
        account_sid text PRIMARY KEY,
        probes int NOT NULL DEFAULT 0,
        probe_at timestamptz NOT NULL
      );
      ALTER TABLE campaigns DROP COLUMN dial_after, DROP COLUMN carrier_refusals;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE campaigns ADD COLUMN carrier_refusals int NOT NULL DEFAULT 0, ADD COLUMN dial_after timestamptz;
      DROP TABLE carrier_breakers;
    `);
  }
}
