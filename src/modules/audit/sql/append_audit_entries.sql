-- The only writer of the audit log. contents: of each entry the text that is hashed (audit-chain.ts), an array of
-- actor_type, actor_id, actor_name, address, request_id, action, resource_id, fields and details.
-- The head's row makes the entries of an account follow each other; it is locked until the transaction ends. Entries
-- are appended in the order of accounts, so that two transactions do not wait for each other.
CREATE OR REPLACE FUNCTION append_audit_entries(owner_ids int[], contents text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  head audit_heads;
  content jsonb;
  entry_hash text;
  moment timestamptz;
BEGIN
  FOR n IN 1 .. cardinality(contents) LOOP
    WHILE head.account_id IS DISTINCT FROM owner_ids[n] LOOP
      SELECT * INTO head FROM audit_heads WHERE account_id = owner_ids[n] FOR UPDATE;
      IF NOT FOUND THEN
        INSERT INTO audit_heads (account_id, seq, hash) VALUES (owner_ids[n], 0, repeat('0', 64)) ON CONFLICT DO NOTHING;
      END IF;
    END LOOP;
    content := contents[n];
    moment := clock_timestamp();
    head.seq := head.seq + 1;
    entry_hash := encode(sha256(convert_to(concat_ws(E'\n', head.hash, head.account_id, head.seq,
      to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), contents[n]), 'UTF8')), 'hex');
    INSERT INTO audit_entries (account_id, seq, created_at, actor_type, actor_id, actor_name, address, request_id,
      action, resource_id, fields, details, previous_hash, hash)
    VALUES (head.account_id, head.seq, moment, content ->> 0, (content ->> 1)::int, content ->> 2, content ->> 3,
      content ->> 4, content ->> 5, content ->> 6, ARRAY(SELECT jsonb_array_elements_text(content -> 7)),
      content -> 8, head.hash, entry_hash);
    head.hash := entry_hash;
    UPDATE audit_heads SET seq = head.seq, hash = head.hash WHERE account_id = head.account_id;
  END LOOP;
END $$;
