-- The audit log only grows. A part that removes entries after a decided time sets audit.removal in its
-- transaction (docs/build/adr/0047-audit-log.md).
CREATE OR REPLACE FUNCTION keep_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('audit.removal', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'Entries of the audit log are neither changed nor deleted';
END $$;

CREATE OR REPLACE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_audit_entries();
CREATE OR REPLACE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entries();

CREATE OR REPLACE FUNCTION keep_audit_heads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.account_id = OLD.account_id AND NEW.seq = OLD.seq + 1 THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' AND current_setting('audit.removal', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'The end of an audit log only moves on by one entry';
END $$;

CREATE OR REPLACE TRIGGER audit_heads_keep BEFORE UPDATE OR DELETE ON audit_heads
  FOR EACH ROW EXECUTE FUNCTION keep_audit_heads();
CREATE OR REPLACE TRIGGER audit_heads_keep_all BEFORE TRUNCATE ON audit_heads
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_heads();
