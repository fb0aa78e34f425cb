-- Accounts with suppressions of which only a hash is kept: for those the service asks for the hash of a number, too.
CREATE OR REPLACE VIEW hashed_suppressions AS
  SELECT account_id, number_hash FROM suppressions WHERE number_hash IS NOT NULL;
