-- Numbers that may be used.
CREATE OR REPLACE VIEW active_phone_numbers AS
  SELECT id, account_id, phone_number, created_at FROM phone_numbers
   WHERE state = 'active' AND (subscription_expires_at IS NULL OR subscription_expires_at > now());
