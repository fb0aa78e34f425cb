-- For triggers of a table whose rows hold a part of their account's balance: `account_id`, `hold_micros`.
CREATE OR REPLACE FUNCTION sum_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE accounts SET held_micros = held_micros - OLD.hold_micros WHERE id = OLD.account_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE accounts SET held_micros = held_micros + NEW.hold_micros WHERE id = NEW.account_id;
  END IF;
  RETURN NULL;
END $$;

-- The same for all rows that a statement inserts.
CREATE OR REPLACE FUNCTION sum_new_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET held_micros = held_micros + added_holds.micros
    FROM (SELECT account_id, sum(hold_micros) AS micros FROM added WHERE hold_micros <> 0 GROUP BY 1) added_holds
   WHERE accounts.id = added_holds.account_id;
  RETURN NULL;
END $$;
