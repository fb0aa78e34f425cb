CREATE OR REPLACE VIEW visitor_chat_costs AS
  SELECT assistant_id, created_at, total_cost_micros AS micros FROM chats WHERE by_visitor;
