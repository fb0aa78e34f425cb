-- How calls went.
CREATE OR REPLACE VIEW call_results AS
  SELECT id AS call_id, assistant_id, status, answered_by, ended_reason, evaluation, evaluation_error FROM calls;
