-- Numbers that an account must not call.
CREATE OR REPLACE VIEW suppressed_numbers AS
  SELECT account_id, phone_number FROM suppressions;
