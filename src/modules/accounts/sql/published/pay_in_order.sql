-- The only writer of balances: entries of the ledger with their effect on the balance.
-- asked: an array of {n, account_id, cost_micros, reference, may_overdraw}; a negative cost adds to the balance. In the
-- order of n, what is available in an account pays for all that it covers; what it does not cover leaves it to those
-- that follow. A kind and a reference are paid once.
-- Returns all but, with skips_locked, those of accounts that somebody else has locked.
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
  IF skips_locked THEN
    payers := ARRAY(SELECT id FROM accounts WHERE id = ANY(payers) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED);
  ELSE
    payers := ARRAY(SELECT id FROM accounts WHERE id = ANY(payers) ORDER BY id FOR NO KEY UPDATE);
  END IF;
  -- The condition BETWEEN is assumeFewRows of common/persistence/batches.ts.
  FOR payment IN
    SELECT one.*, balance_micros, held_micros, EXISTS (
             SELECT FROM ledger_entries entry
              WHERE entry.kind = pay_in_order.kind AND entry.reference = one.reference) AS is_repeated
      FROM jsonb_to_recordset(asked)
             AS one (n int, account_id int, cost_micros bigint, reference text, may_overdraw boolean)
      JOIN accounts ON accounts.id = one.account_id
     WHERE one.account_id = ANY(payers) AND one.account_id BETWEEN 0 AND 2147483647
     ORDER BY one.account_id, one.n
  LOOP
    IF payer IS DISTINCT FROM payment.account_id THEN
      payer := payment.account_id;
      balance := payment.balance_micros;
      available := balance - payment.held_micros;
    END IF;
    n := payment.n;
    is_paid := NOT payment.is_repeated
               AND (payment.may_overdraw IS TRUE OR payment.cost_micros <= available);
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
           WHERE one.account_id BETWEEN 0 AND 2147483647 GROUP BY 1) spent
   WHERE accounts.id = spent.account_id;
  INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
  SELECT one.account_id, pay_in_order.kind, one.reference, -one.cost_micros, one.balance_micros
    FROM jsonb_to_recordset(paid)
      AS one (account_id int, reference text, cost_micros bigint, balance_micros bigint);
END $$;
