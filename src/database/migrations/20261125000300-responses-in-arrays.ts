import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Takes what calls show of their webhooks as arrays: to build and to read a jsonb array took as long as the update. */
export class ResponsesInArrays20261125000300 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION set_webhook_responses(jsonb);
      ${functionWith('call_ids int[], responses jsonb[]', 'unnest(call_ids, responses) AS one (call_id, response)')}
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION set_webhook_responses(int[], jsonb[]);
      ${functionWith('told jsonb', 'jsonb_to_recordset(told) AS one (call_id int, response jsonb)')}
    `);
  }
}

const functionWith = (parameters: string, rows: string): string => `
  CREATE FUNCTION set_webhook_responses(${parameters}) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE calls SET webhook_response = one.response, updated_at = now()
      FROM ${rows}
     WHERE calls.id = one.call_id AND one.call_id BETWEEN 0 AND 2147483647;
  END $$;
`;
