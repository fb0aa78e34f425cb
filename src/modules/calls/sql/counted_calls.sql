-- What the statistics have to be sums of.
CREATE OR REPLACE VIEW counted_calls AS
  SELECT account_id, date_trunc('hour', created_at, 'UTC') AS hour, assistant_id, campaign_id, type, status,
         call_outcome(ended_reason) AS outcome, answered_by, 1 AS n, (answered_at IS NOT NULL)::int AS connected,
         (answered_at IS NOT NULL AND answered_by <> 'machine')::int AS answered, duration AS seconds,
         total_cost_micros AS cost_micros, (success IS NOT NULL)::int AS evaluated,
         coalesce(success, false)::int AS succeeded, response_counts AS responses,
         call_stat_evaluation(evaluation_plan, coalesce(counted_evaluation, evaluation)) AS evaluation
    FROM calls CROSS JOIN LATERAL (
      SELECT call_success(evaluation_plan, coalesce(counted_evaluation, evaluation)) AS success) AS evaluated
   WHERE response_counts IS NOT NULL AND deleted_at IS NULL;
