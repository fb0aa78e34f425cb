import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CarrierLimits20261126000803 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE carrier_breakers (
        account_sid text PRIMARY KEY,
        probes int NOT NULL DEFAULT 0,
        probe_at timestamptz NOT NULL
      );

      CREATE TABLE carrier_rates (
        account_sid text PRIMARY KEY,
        next_at timestamptz NOT NULL
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE carrier_rates, carrier_breakers;
    `);
  }
}
