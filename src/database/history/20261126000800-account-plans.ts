import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'account.id AS account_id, plan.max_assistants, plan.max_leads_per_campaign';
const ACCOUNTS = 'accounts account JOIN plans plan ON plan.id = account.plan_id';
const AVAILABLE = 'account.balance_micros - account.held_micros';

/** What other modules ask of many accounts at once. `can_call`: as `callBudget` of accounts/call-budget.ts has it. */
export class AccountPlans20261126000800 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE OR REPLACE VIEW account_plans AS
        SELECT ${COLUMNS}, plan.max_parallel_calls, account.allowed_countries, ${AVAILABLE} AS available_micros,
               ${AVAILABLE} > 0 AND ${AVAILABLE} >= plan.price_per_minute_micros AS can_call
          FROM ${ACCOUNTS};`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW account_plans;
      CREATE VIEW account_plans AS SELECT ${COLUMNS} FROM ${ACCOUNTS};`);
  }
}
