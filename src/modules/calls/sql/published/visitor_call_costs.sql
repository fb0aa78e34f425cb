CREATE OR REPLACE VIEW visitor_call_costs AS
  SELECT assistant_id, created_at, hold_micros + total_cost_micros AS micros FROM calls WHERE visitor IS NOT NULL;
