-- What an account (key_id 0) and each of its API keys spend: charged in the current hour (UTC), and held by what runs
-- now. Callers that act on it have locked the account.
CREATE OR REPLACE VIEW spending AS
  SELECT counter.account_id, counter.key_id, counter.limit_micros, spent.micros AS spent_micros,
         counter.limit_micros - spent.micros AS left_micros
    FROM spend_counters counter JOIN accounts account ON account.id = counter.account_id
   CROSS JOIN LATERAL (
     SELECT CASE WHEN counter.hour >= date_trunc('hour', clock_timestamp(), 'UTC')
                 THEN greatest(counter.charged_micros, 0) ELSE 0 END
            + CASE counter.key_id WHEN 0 THEN account.held_micros ELSE counter.held_micros END AS micros) spent;
