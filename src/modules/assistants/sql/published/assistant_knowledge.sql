-- The knowledge bases of assistants. Deleted assistants have none.
CREATE OR REPLACE VIEW assistant_knowledge AS
  SELECT id AS assistant_id, account_id, knowledgebase_id FROM assistants WHERE knowledgebase_id IS NOT NULL;
