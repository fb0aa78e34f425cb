import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As `fewRows` of common/persistence/batches.ts, at the time of this migration. */
const fewRows = (column: string): string => `${column} BETWEEN 0 AND 2147483647`;

/** Functions that join a batch to a table do it by an index, also in a plan that was made while the table was small. */
export class BatchesByIndex20261123000600 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(functionsWith(fewRows));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(functionsWith(() => 'true'));
  }
}

export const functionsWith = (condition: (column: string) => string): string => `
  CREATE OR REPLACE FUNCTION set_webhook_responses(told jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE calls SET webhook_response = one.response, updated_at = now()
      FROM jsonb_to_recordset(told) AS one (call_id int, response jsonb)
     WHERE calls.id = one.call_id AND ${condition('one.call_id')};
  END $$;

  CREATE OR REPLACE FUNCTION pay_in_order(asked jsonb, kind text, skips_locked boolean)
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
        JOIN accounts ON accounts.id = one.account_id
       WHERE one.account_id = ANY(payers) AND ${condition('one.account_id')}
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
              FROM jsonb_to_recordset(paid) AS one (account_id int, cost_micros bigint)
             WHERE ${condition('one.account_id')} GROUP BY 1) spent
     WHERE accounts.id = spent.account_id;
    INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
    SELECT one.account_id, pay_in_order.kind, one.reference, -one.cost_micros, one.balance_micros
      FROM jsonb_to_recordset(paid)
        AS one (account_id int, reference text, cost_micros bigint, balance_micros bigint);
  END $$;
`;
