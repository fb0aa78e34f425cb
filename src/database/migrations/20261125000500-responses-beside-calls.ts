import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps what calls show of their webhooks in a table of its own. In `calls`, whose rows have an entry in eleven indexes,
 * it was the most expensive part of recording a delivery.
 */
export class ResponsesBesideCalls20261125000500 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE call_webhook_responses (call_id int PRIMARY KEY, response jsonb NOT NULL);
      INSERT INTO call_webhook_responses
        SELECT id, webhook_response FROM calls WHERE webhook_response <> '{}' ORDER BY id;
      ALTER TABLE calls DROP COLUMN webhook_response;

      CREATE OR REPLACE FUNCTION set_webhook_responses(call_ids int[], responses jsonb[]) RETURNS void
        LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO call_webhook_responses SELECT * FROM unnest(call_ids, responses)
          ON CONFLICT (call_id) DO UPDATE SET response = excluded.response;
      END $$;

      CREATE FUNCTION remove_webhook_responses() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM call_webhook_responses USING gone WHERE call_id = gone.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_remove_responses AFTER DELETE ON calls REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION remove_webhook_responses();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER calls_remove_responses ON calls;
      DROP FUNCTION remove_webhook_responses();
      ALTER TABLE calls ADD COLUMN webhook_response jsonb NOT NULL DEFAULT '{}';
      UPDATE calls SET webhook_response = response FROM call_webhook_responses WHERE call_id = calls.id;
      DROP TABLE call_webhook_responses;
      CREATE OR REPLACE FUNCTION set_webhook_responses(call_ids int[], responses jsonb[]) RETURNS void
        LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE calls SET webhook_response = one.response, updated_at = now()
          FROM unnest(call_ids, responses) AS one (call_id, response)
         WHERE calls.id = one.call_id AND one.call_id BETWEEN 0 AND 2147483647;
      END $$;
    `);
  }
}
