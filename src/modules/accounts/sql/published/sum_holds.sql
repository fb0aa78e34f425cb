-- For triggers of a table whose rows hold a part of their account's balance: `account_id`, `api_key_id` (of the key that
-- started it, or null), `hold_micros`. A charge comes before the release of its hold: what is left of the limits is
-- known then.
CREATE OR REPLACE FUNCTION sum_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE accounts SET held_micros = held_micros - OLD.hold_micros WHERE id = OLD.account_id;
    PERFORM count_key_hold(OLD.account_id, OLD.api_key_id, -OLD.hold_micros);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE accounts SET held_micros = held_micros + NEW.hold_micros WHERE id = NEW.account_id;
    PERFORM count_key_hold(NEW.account_id, NEW.api_key_id, NEW.hold_micros);
    PERFORM note_spend_limits(NEW.account_id, NEW.api_key_id, 1);
  END IF;
  RETURN NULL;
END $$;

-- The same for all rows that a statement inserts.
CREATE OR REPLACE FUNCTION sum_new_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET held_micros = held_micros + added_holds.micros
    FROM (SELECT account_id, sum(hold_micros) AS micros FROM added WHERE hold_micros <> 0 GROUP BY 1) added_holds
   WHERE accounts.id = added_holds.account_id;
  PERFORM count_key_hold(account_id, api_key_id, sum(hold_micros))
     FROM added WHERE hold_micros <> 0 GROUP BY account_id, api_key_id;
  PERFORM note_spend_limits(account_id, api_key_id, 1)
     FROM added WHERE hold_micros <> 0 GROUP BY account_id, api_key_id;
  RETURN NULL;
END $$;
