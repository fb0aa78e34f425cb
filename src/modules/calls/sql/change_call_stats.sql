-- Adds a finished call to the statistics, or what has changed of it; a job sums the rows up.
CREATE OR REPLACE FUNCTION change_call_stats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_stat_changes (account_id, hour, assistant_id, campaign_id, type, status, outcome, answered_by,
    n, connected, answered, seconds, cost_micros, evaluated, succeeded, responses, evaluation)
  SELECT account_id, date_trunc('hour', created_at, 'UTC'), assistant_id, campaign_id, type, status,
         call_outcome(ended_reason), answered_by, sign, sign * (answered_at IS NOT NULL)::int,
         sign * (answered_at IS NOT NULL AND answered_by <> 'machine')::int, sign * duration,
         sign * total_cost_micros, sign * (success IS NOT NULL)::int, sign * coalesce(success, false)::int,
         ARRAY(SELECT sign * n FROM unnest(response_counts) WITH ORDINALITY AS counts (n, place) ORDER BY place),
         call_stat_evaluation(evaluation_plan, counted)
    FROM (SELECT -1 AS sign, (OLD).* UNION ALL SELECT 1, (NEW).*) AS changed
    CROSS JOIN LATERAL (SELECT coalesce(counted_evaluation, evaluation) AS counted) AS given
    CROSS JOIN LATERAL (SELECT call_success(evaluation_plan, counted) AS success) AS evaluated
   WHERE response_counts IS NOT NULL AND deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calls_stats_insert AFTER INSERT ON calls FOR EACH ROW
  WHEN (NEW.response_counts IS NOT NULL) EXECUTE FUNCTION change_call_stats();
CREATE OR REPLACE TRIGGER calls_stats_update
  AFTER UPDATE OF response_counts, deleted_at, status, ended_reason, answered_by, answered_at, duration,
    total_cost_micros, evaluation ON calls FOR EACH ROW
  WHEN (NEW.response_counts IS NOT NULL
        AND ((OLD.response_counts, OLD.deleted_at, OLD.status, OLD.ended_reason, OLD.answered_by, OLD.answered_at,
              OLD.duration, OLD.total_cost_micros) IS DISTINCT FROM
             (NEW.response_counts, NEW.deleted_at, NEW.status, NEW.ended_reason, NEW.answered_by, NEW.answered_at,
              NEW.duration, NEW.total_cost_micros)
             OR call_stat_evaluation(OLD.evaluation_plan, coalesce(OLD.counted_evaluation, OLD.evaluation))
             <> call_stat_evaluation(NEW.evaluation_plan, coalesce(NEW.counted_evaluation, NEW.evaluation))))
  EXECUTE FUNCTION change_call_stats();
