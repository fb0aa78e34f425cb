-- Adds to what was charged in the current hour, of accounts and of API keys; what is given back counts against it.
-- charges: an array of {account_id, key_id, cost_micros}. The caller has locked the accounts.
CREATE OR REPLACE FUNCTION count_charges(charges jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  this_hour timestamptz := date_trunc('hour', clock_timestamp(), 'UTC');
BEGIN
  INSERT INTO spend_counters AS counter (account_id, key_id, hour, charged_micros)
  SELECT one.account_id, spender.key_id, this_hour, sum(one.cost_micros)
    FROM jsonb_to_recordset(charges) AS one (account_id int, key_id int, cost_micros bigint)
   CROSS JOIN LATERAL unnest(ARRAY[0, one.key_id]) AS spender (key_id)
   WHERE spender.key_id IS NOT NULL
   GROUP BY one.account_id, spender.key_id ORDER BY one.account_id, spender.key_id
  ON CONFLICT (account_id, key_id) DO UPDATE
     SET charged_micros = EXCLUDED.charged_micros
           + CASE WHEN counter.hour >= this_hour THEN counter.charged_micros ELSE 0 END,
         hour = greatest(counter.hour, this_hour);
END $$;

-- Adds to what things of an API key hold; that of the account is in its own row.
CREATE OR REPLACE FUNCTION count_key_hold(account int, key int, micros numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF key IS NULL THEN RETURN; END IF;
  INSERT INTO spend_counters AS counter (account_id, key_id, held_micros) VALUES (account, key, micros)
  ON CONFLICT (account_id, key_id) DO UPDATE SET held_micros = counter.held_micros + EXCLUDED.held_micros;
END $$;
