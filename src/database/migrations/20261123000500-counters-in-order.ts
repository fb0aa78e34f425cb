import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters of calls of an account beside each other, as they are written since: a list adds up thousands of them, which
 * in the order of their first writing are in as many pages (docs/adr/0008).
 */
export class CountersInOrder20261123000500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('CLUSTER call_tallies USING call_tallies_account');
  }

  /** The order of rows means nothing to the version before. */
  async down(): Promise<void> {}
}
