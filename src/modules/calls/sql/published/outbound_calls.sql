-- Which numbers were called, from which. carrier_sid: null while the carrier has not taken the call.
CREATE OR REPLACE VIEW outbound_calls AS
  SELECT account_id, client_phone_number, assistant_phone_number, carrier_sid, created_at
    FROM calls WHERE type = 'outbound';
