-- Also numbers that are not active, or were deleted.
CREATE OR REPLACE VIEW known_phone_numbers AS
  SELECT id, account_id, phone_number, sms_capable, deleted_at FROM phone_numbers;
