-- The part of a campaign's counters that this transaction counts in: others that count meanwhile have another one, so
-- that they do not wait (docs/build/adr/0027).
CREATE OR REPLACE FUNCTION counting_part(campaign int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  FOR part IN 0..62 LOOP
    IF pg_try_advisory_xact_lock($1::bigint * -64 - part) THEN RETURN part; END IF;
  END LOOP;
  RETURN 63;
END $$;
