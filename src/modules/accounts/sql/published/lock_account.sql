-- Until the end of the transaction: others that count before they write wait.
CREATE OR REPLACE FUNCTION lock_account(account int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM accounts WHERE id = account FOR NO KEY UPDATE;
END $$;
