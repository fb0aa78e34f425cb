import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Writes fewer index entries for a delivery: those of a call are found by their event, and those that wait of an
 * assistant among those that wait of its account.
 */
export class DeliveriesWithFewerIndexes20261125000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX webhook_deliveries_assistant, webhook_deliveries_call');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE INDEX webhook_deliveries_assistant ON webhook_deliveries (assistant_id) WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_call ON webhook_deliveries (call_id);
    `);
  }
}
