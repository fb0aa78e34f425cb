-- Calls that take a place of their account. Ringing (up to 120 s) and goodbye: one that exceeds its limit by 180 s
-- counts as ended. A visitor's call takes a place when its line opens.
CREATE OR REPLACE VIEW running_calls AS
  SELECT id, account_id, assistant_phone_number FROM calls
   WHERE ended_at IS NULL AND (visitor IS NULL OR status <> 'initiated')
     AND created_at + make_interval(secs => max_duration + 180) > now();
