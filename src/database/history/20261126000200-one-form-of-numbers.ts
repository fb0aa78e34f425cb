import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL: today's form of a number that is written in two ways (Mexico, Brazil, Benin), as `readNumber` gives it. */
const today = (number: string): string => `CASE
  WHEN ${number} ~ '^\\+521\\d{10}$' THEN '+52' || substr(${number}, 5)
  WHEN ${number} ~ '^\\+55([14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579])[689]\\d{7}$'
    THEN substr(${number}, 1, 5) || '9' || substr(${number}, 6)
  WHEN ${number} ~ '^\\+229\\d{8}$' THEN '+22901' || substr(${number}, 5)
  ELSE ${number} END`;

/** Few numbers are of these countries: the rest is left out before the patterns are compared. */
const OF_COUNTRIES = `phone_number LIKE ANY (ARRAY['+521%', '+55%', '+229%'])`;

/**
 * Gives stored numbers that are written in two ways the form that new ones get, so that a suppression matches the lead,
 * however either was written. Calls, attempts and messages keep the form that was dialled.
 * - Leads and contacts: both stay. A main lead whose number stands in its campaign in the other form becomes a duplicate.
 * - Suppressions: of two forms one is left, which keeps the first reason there is.
 * The former forms stay beside them, so that `down` can put them back.
 */
export class OneFormOfNumbers20261126000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE leads ADD COLUMN former_phone_number text;
      UPDATE leads SET former_phone_number = phone_number, phone_number = given.today,
             is_duplicate = is_duplicate OR (main_lead_id IS NULL AND EXISTS (
               SELECT 1 FROM leads other WHERE other.campaign_id = leads.campaign_id AND other.phone_number = given.today
                  AND other.main_lead_id IS NULL AND NOT other.is_duplicate))
        FROM (SELECT id, ${today('phone_number')} AS today FROM leads WHERE ${OF_COUNTRIES}) given
       WHERE leads.id = given.id AND leads.phone_number <> given.today;

      ALTER TABLE suppressions ADD COLUMN former jsonb;
      CREATE TEMPORARY TABLE former_suppressions ON COMMIT DROP AS
        SELECT id, account_id, phone_number, reason, source, created_at, ${today('phone_number')} AS today
          FROM suppressions WHERE ${OF_COUNTRIES};
      DELETE FROM former_suppressions WHERE phone_number = today;
      UPDATE suppressions kept SET reason = coalesce(kept.reason, gone.reason), former = jsonb_build_object(
               'phone_number', gone.phone_number, 'reason', gone.reason, 'source', gone.source,
               'created_at', gone.created_at, 'kept_reason', kept.reason)
        FROM former_suppressions gone WHERE kept.account_id = gone.account_id AND kept.phone_number = gone.today;
      DELETE FROM suppressions USING former_suppressions gone
       WHERE suppressions.id = gone.id AND EXISTS (
         SELECT 1 FROM suppressions kept WHERE kept.account_id = gone.account_id AND kept.phone_number = gone.today);
      UPDATE suppressions SET phone_number = former_suppressions.today,
             former = jsonb_build_object('phone_number', suppressions.phone_number)
        FROM former_suppressions WHERE suppressions.id = former_suppressions.id;
    `);
  }

  /** What was renumbered by a user since then stays as it is. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE leads SET phone_number = former_phone_number WHERE phone_number = ${today('former_phone_number')};
      UPDATE leads SET is_duplicate = false WHERE id IN (
        SELECT min(id) FROM leads WHERE former_phone_number = phone_number AND main_lead_id IS NULL
         GROUP BY campaign_id, phone_number HAVING bool_and(is_duplicate));
      ALTER TABLE leads DROP COLUMN former_phone_number;

      INSERT INTO suppressions (account_id, phone_number, reason, source, created_at)
        SELECT account_id, former ->> 'phone_number', former ->> 'reason', former ->> 'source',
               (former ->> 'created_at')::timestamptz
          FROM suppressions WHERE former ? 'source' ON CONFLICT DO NOTHING;
      UPDATE suppressions SET reason = former ->> 'kept_reason' WHERE former ? 'source';
      UPDATE suppressions SET phone_number = former ->> 'phone_number' WHERE NOT former ? 'source';
      ALTER TABLE suppressions DROP COLUMN former;
    `);
  }
}
