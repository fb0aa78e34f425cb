-- Notes, once in an hour for each limit, that a limit of the account or of the API key is reached: nothing of it is
-- left, or less than `needed`, which it has refused. The event is a part of the transaction that reaches the limit.
CREATE OR REPLACE FUNCTION note_spend_limits(account int, key int, needed bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  alert record;
BEGIN
  FOR alert IN
    INSERT INTO spend_alerts (account_id, key_id, hour, limit_micros, spent_micros)
    SELECT account_id, key_id, date_trunc('hour', clock_timestamp(), 'UTC'), limit_micros, spent_micros
      FROM spending
     WHERE account_id = account AND key_id IN (0, key) AND left_micros < greatest(needed, 1)
        ON CONFLICT DO NOTHING
    RETURNING id, account_id
  LOOP
    PERFORM publish_event('spend-limit.reached',
                          jsonb_build_object('accountId', alert.account_id, 'alertId', alert.id));
  END LOOP;
END $$;

-- Whether the limits of the account and of the API key leave a minute of a call; as callBudget has it.
CREATE OR REPLACE FUNCTION limits_allow_call(account int, key int) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM spending JOIN accounts ON accounts.id = spending.account_id JOIN plans ON plans.id = accounts.plan_id
     WHERE spending.account_id = account AND key_id IN (0, key)
       AND (left_micros <= 0 OR left_micros < price_per_minute_micros))
$$;
