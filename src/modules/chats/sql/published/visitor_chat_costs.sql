CREATE OR REPLACE VIEW visitor_chat_costs AS
  SELECT visitor_assistant_id AS assistant_id, created_at, cost_micros AS micros FROM chat_turns
   WHERE visitor_assistant_id IS NOT NULL;
