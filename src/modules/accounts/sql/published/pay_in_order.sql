-- The only writer of balances: entries of the ledger with their effect on the balance and on what was spent in the hour.
-- asked: an array of {n, account_id, key_id, cost_micros, reference, may_overdraw, is_limited}; a negative cost adds to
-- the balance. In the order of n, what is available in an account pays for all that it covers; what it does not cover
-- leaves it to those that follow. So do, of what is_limited, the spend limits of the account and of the API key key_id.
-- A kind and a reference are paid once.
-- Returns all but, with skips_locked, those of accounts that somebody else has locked. is_refused: a spend limit does
-- not cover what the balance does.
CREATE OR REPLACE FUNCTION pay_in_order(asked jsonb, kind text, skips_locked boolean)
  RETURNS TABLE (n int, is_paid boolean, is_refused boolean) LANGUAGE plpgsql AS $$
DECLARE
  payers int[] := ARRAY(SELECT DISTINCT account_id FROM jsonb_to_recordset(asked) AS one (account_id int));
  -- The charge of a call replaces its hold, see sum_holds.
  notes_limits boolean := kind NOT IN ('top-up', 'call');
  payment record;
  payer int;
  available bigint;
  balance bigint;
  lefts jsonb;
  paid jsonb := '[]';
  needs jsonb := '[]';
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
      FROM jsonb_to_recordset(asked) AS one (n int, account_id int, key_id int, cost_micros bigint, reference text,
             may_overdraw boolean, is_limited boolean)
      JOIN accounts ON accounts.id = one.account_id
     WHERE one.account_id = ANY(payers) AND one.account_id BETWEEN 0 AND 2147483647
     ORDER BY one.account_id, one.n
  LOOP
    IF payer IS DISTINCT FROM payment.account_id THEN
      payer := payment.account_id;
      balance := payment.balance_micros;
      available := balance - payment.held_micros;
      -- Null without limits.
      lefts := CASE WHEN notes_limits THEN (
        SELECT jsonb_object_agg(limited.key_id, limited.left_micros) FROM spending limited
         WHERE limited.account_id = payer AND limited.limit_micros IS NOT NULL) END;
    END IF;
    n := payment.n;
    is_paid := NOT payment.is_repeated
               AND (payment.may_overdraw IS TRUE OR payment.cost_micros <= available);
    is_refused := is_paid AND payment.is_limited IS TRUE AND payment.cost_micros > 0 AND coalesce(
      payment.cost_micros > least((lefts ->> '0')::bigint, (lefts ->> payment.key_id::text)::bigint), false);
    is_paid := is_paid AND NOT is_refused;
    IF is_paid THEN
      available := available - payment.cost_micros;
      balance := balance - payment.cost_micros;
      lefts := (SELECT jsonb_object_agg(spender.key, spender.value::bigint - CASE
                         WHEN spender.key IN ('0', payment.key_id::text) THEN payment.cost_micros ELSE 0 END)
                  FROM jsonb_each_text(lefts) spender);
      paid := paid || jsonb_build_object('account_id', payer, 'key_id', payment.key_id, 'reference', payment.reference,
                                         'cost_micros', payment.cost_micros, 'balance_micros', balance);
    END IF;
    IF lefts IS NOT NULL THEN
      needs := needs || jsonb_build_object('account_id', payer, 'key_id', payment.key_id,
                                           'micros', CASE WHEN is_refused THEN payment.cost_micros ELSE 1 END);
    END IF;
    RETURN NEXT;
  END LOOP;
  IF paid <> '[]' THEN
    UPDATE accounts SET balance_micros = accounts.balance_micros - spent.micros, updated_at = now()
      FROM (SELECT one.account_id, sum(one.cost_micros)::bigint AS micros
              FROM jsonb_to_recordset(paid) AS one (account_id int, cost_micros bigint)
             WHERE one.account_id BETWEEN 0 AND 2147483647 GROUP BY 1) spent
     WHERE accounts.id = spent.account_id;
    INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
    SELECT one.account_id, pay_in_order.kind, one.reference, -one.cost_micros, one.balance_micros
      FROM jsonb_to_recordset(paid)
        AS one (account_id int, reference text, cost_micros bigint, balance_micros bigint);
    IF kind <> 'top-up' THEN PERFORM count_charges(paid); END IF;
  END IF;
  PERFORM note_spend_limits(one.account_id, one.key_id, max(one.micros))
     FROM jsonb_to_recordset(needs) AS one (account_id int, key_id int, micros bigint)
    GROUP BY one.account_id, one.key_id;
END $$;
