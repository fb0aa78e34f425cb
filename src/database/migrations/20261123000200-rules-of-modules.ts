import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ringing (up to 120 s) and goodbye: a call that exceeds its limit by this much counts as ended. */
const RUNNING_GRACE_SECONDS = 180;

/**
 * Rules that statements of other modules need, as views and functions of the module that owns them
 * (docs/adr/0035-rules-in-the-database.md). Views name their columns: a column of the table can be dropped then.
 */
export class RulesOfModules20261123000200 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE VIEW account_plans AS
        SELECT account.id AS account_id, plan.max_assistants, plan.max_leads_per_campaign
          FROM accounts account JOIN plans plan ON plan.id = account.plan_id;

      CREATE VIEW active_phone_numbers AS
        SELECT id, account_id, phone_number, created_at FROM phone_numbers
         WHERE state = 'active' AND (subscription_expires_at IS NULL OR subscription_expires_at > now());

      CREATE VIEW running_calls AS
        SELECT id, account_id, assistant_phone_number FROM calls
         WHERE ended_at IS NULL
           AND created_at + make_interval(secs => max_duration + ${RUNNING_GRACE_SECONDS}) > now();

      -- Reopens: it completed by itself not long ago, and starts again with a new lead.
      CREATE VIEW live_campaigns AS
        SELECT id, account_id, name,
               status = 'completed' AND coalesce(completed_at > now() - interval '30 days', false) AS reopens
          FROM campaigns WHERE deleted_at IS NULL;

      -- Null: somebody else did, or stopped it.
      CREATE FUNCTION reopen_campaign(campaign int) RETURNS int LANGUAGE sql AS $$
        UPDATE campaigns SET status = 'in-progress', completed_at = NULL, updated_at = now()
         WHERE id = campaign AND status = 'completed' RETURNING id
      $$;

      CREATE FUNCTION set_webhook_responses(told jsonb) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE calls SET webhook_response = one.response, updated_at = now()
          FROM jsonb_to_recordset(told) AS one (call_id int, response jsonb) WHERE calls.id = one.call_id;
      END $$;

      CREATE FUNCTION pay_in_order(asked jsonb, kind text, skips_locked boolean)
        RETURNS TABLE (n int, is_paid boolean) LANGUAGE plpgsql AS $$
      DECLARE
        payers int[] := ARRAY(SELECT DISTINCT account_id FROM jsonb_to_recordset(asked) AS one (account_id int));
        payment record;
        payer int;
        available bigint;
        balance bigint;
        paid jsonb := '[]';
      BEGIN
        -- As every change of a balance does.
        IF skips_locked THEN
          payers := ARRAY(SELECT id FROM accounts WHERE id = ANY(payers) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED);
        ELSE
          payers := ARRAY(SELECT id FROM accounts WHERE id = ANY(payers) ORDER BY id FOR NO KEY UPDATE);
        END IF;
        FOR payment IN
          SELECT one.n, one.account_id, one.cost_micros, one.reference, balance_micros, held_micros
            FROM jsonb_to_recordset(asked) AS one (n int, account_id int, cost_micros bigint, reference text)
            JOIN accounts ON accounts.id = one.account_id WHERE one.account_id = ANY(payers)
           ORDER BY one.account_id, one.n
        LOOP
          IF payer IS DISTINCT FROM payment.account_id THEN
            payer := payment.account_id;
            balance := payment.balance_micros;
            available := balance - payment.held_micros;
          END IF;
          n := payment.n;
          is_paid := payment.cost_micros <= available;
          IF is_paid THEN
            available := available - payment.cost_micros;
            balance := balance - payment.cost_micros;
            paid := paid || jsonb_build_object('account_id', payer, 'reference', payment.reference,
                                               'cost_micros', payment.cost_micros, 'balance_micros', balance);
          END IF;
          RETURN NEXT;
        END LOOP;
        IF paid = '[]' THEN RETURN; END IF;
        UPDATE accounts SET balance_micros = accounts.balance_micros - spent.micros, updated_at = now()
          FROM (SELECT one.account_id, sum(one.cost_micros)::bigint AS micros
                  FROM jsonb_to_recordset(paid) AS one (account_id int, cost_micros bigint) GROUP BY 1) spent
         WHERE accounts.id = spent.account_id;
        INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
        SELECT one.account_id, pay_in_order.kind, one.reference, -one.cost_micros, one.balance_micros
          FROM jsonb_to_recordset(paid)
            AS one (account_id int, reference text, cost_micros bigint, balance_micros bigint);
      END $$;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION pay_in_order(jsonb, text, boolean);
      DROP FUNCTION set_webhook_responses(jsonb);
      DROP FUNCTION reopen_campaign(int);
      DROP VIEW live_campaigns, running_calls, active_phone_numbers, account_plans;
    `);
  }
}
