import { describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { OneFormOfNumbers20261126000200 } from '#src/database/history/20261126000200-one-form-of-numbers.js';
import { database } from '../support/database.js';

const OLD = '+5215512345678';
const TODAY = '+525512345678';

describe('a stored number that is written in two ways', () => {
  it('is one in the rows of today after the migration, which can be undone', async () => {
    const db = await database().connect();
    const runner = db as unknown as QueryRunner;
    const leads = async () =>
      (await db.query('SELECT id, phone_number, is_duplicate FROM pg_temp.leads ORDER BY id')).rows.map(
        Object.values,
      );
    const suppressions = async () =>
      (
        await db.query('SELECT account_id, phone_number, reason FROM pg_temp.suppressions ORDER BY 1, 2')
      ).rows.map(Object.values);
    try {
      // In place of the real tables, for this connection only.
      await db.query(
        `CREATE TEMP TABLE leads (LIKE public.leads INCLUDING ALL EXCLUDING IDENTITY);
         CREATE TEMP TABLE suppressions (LIKE public.suppressions INCLUDING ALL);
         ALTER TABLE pg_temp.leads DROP COLUMN former_phone_number;
         ALTER TABLE pg_temp.suppressions DROP COLUMN former;
         INSERT INTO pg_temp.leads (id, account_id, campaign_id, main_lead_id, phone_number, is_duplicate) VALUES
           (1, 1, 1, NULL, '${OLD}', false), (2, 1, 1, NULL, '${TODAY}', false), (3, 1, 1, NULL, '${OLD}', true),
           (4, 1, 2, NULL, '${OLD}', false), (5, 1, 2, 4, '+551187654321', false), (6, 1, 2, NULL, '+22997123456', false),
           (7, 1, 2, NULL, '+551137654321', false), (8, 1, 2, NULL, '+14155550100', false);
         INSERT INTO pg_temp.suppressions (account_id, phone_number, reason, source) VALUES
           (1, '${OLD}', 'old', 'api'), (1, '${TODAY}', NULL, 'call'), (2, '${OLD}', 'only', 'api'), (2, '+14155550100', NULL, 'api')`,
      );
      const before = [await leads(), await suppressions()];
      const migration = new OneFormOfNumbers20261126000200();
      await migration.up(runner);
      expect(await leads()).toEqual([
        [1, TODAY, true],
        [2, TODAY, false],
        [3, TODAY, true],
        [4, TODAY, false],
        [5, '+5511987654321', false],
        [6, '+2290197123456', false],
        [7, '+551137654321', false],
        [8, '+14155550100', false],
      ]);
      expect(await suppressions()).toEqual([
        [1, TODAY, 'old'],
        [2, '+14155550100', null],
        [2, TODAY, 'only'],
      ]);
      await migration.down(runner);
      expect([await leads(), await suppressions()]).toEqual(before);
    } finally {
      await db.query('DROP TABLE pg_temp.leads, pg_temp.suppressions').finally(() => db.release());
    }
  });
});
