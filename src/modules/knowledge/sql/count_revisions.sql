-- A search keeps what it has read of a base until the base's revision changes.
CREATE OR REPLACE FUNCTION count_revisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE knowledge_bases SET revision = revision + 1 WHERE id = coalesce(NEW.knowledge_base_id, OLD.knowledge_base_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER knowledge_documents_revision
  AFTER INSERT OR DELETE OR UPDATE OF chunks_count ON knowledge_documents
  FOR EACH ROW EXECUTE FUNCTION count_revisions();
