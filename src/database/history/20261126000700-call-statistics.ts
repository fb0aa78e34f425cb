import type { MigrationInterface, QueryRunner } from 'typeorm';

const FINAL = `('completed', 'busy', 'no-answer', 'failed')`;
/** Of these columns statistics are made. */
const COUNTED = [
  'response_counts',
  'deleted_at',
  'status',
  'ended_reason',
  'answered_by',
  'answered_at',
  'duration',
  'total_cost_micros',
  'evaluation',
];
const COLUMNS = [
  ...COUNTED,
  'account_id',
  'created_at',
  'assistant_id',
  'campaign_id',
  'type',
  'evaluation_plan',
];
const of = (row: string, columns: readonly string[]): string =>
  columns.map((column) => `${row}.${column}`).join(', ');

/** What analytics count of finished calls. Docs: docs/build/adr/0038-statistics-of-calls.md. */
export class CallStatistics20261126000700 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Answers of the assistant by how long the customer waited; null: the call is not counted yet.
      ALTER TABLE calls ADD COLUMN response_counts int[];
      CREATE INDEX calls_uncounted ON calls (id) WHERE response_counts IS NULL;

      CREATE TABLE call_stat_changes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id int NOT NULL,
        hour timestamptz NOT NULL,
        assistant_id int NOT NULL,
        campaign_id int,
        type text NOT NULL,
        status text NOT NULL,
        outcome text NOT NULL,
        answered_by text NOT NULL,
        n int NOT NULL,
        connected int NOT NULL,
        answered int NOT NULL,
        seconds int NOT NULL,
        cost_micros bigint NOT NULL,
        evaluated int NOT NULL,
        succeeded int NOT NULL,
        responses int[] NOT NULL,
        evaluation jsonb NOT NULL
      );
      CREATE INDEX call_stat_changes_account ON call_stat_changes (account_id, hour);

      CREATE TABLE call_stats (
        account_id int NOT NULL,
        dimension text NOT NULL,
        hour timestamptz NOT NULL,
        key text NOT NULL,
        n int NOT NULL,
        connected int NOT NULL,
        answered int NOT NULL,
        seconds bigint NOT NULL,
        cost_micros bigint NOT NULL,
        evaluated int NOT NULL,
        succeeded int NOT NULL,
        responses int[] NOT NULL,
        PRIMARY KEY (account_id, dimension, hour, key)
      ) WITH (fillfactor = 70);

      CREATE TABLE call_stat_values (
        account_id int NOT NULL,
        dimension text NOT NULL,
        key text NOT NULL,
        PRIMARY KEY (account_id, dimension, key)
      );

      -- Bounds in milliseconds: what is below the first one counts in the first place of the array.
      CREATE FUNCTION call_response_counts(of_call int) RETURNS int[] LANGUAGE sql STABLE AS $$
        WITH found AS (
          SELECT width_bucket(ms, ARRAY[250, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 6000]) AS place,
                 count(*)::int AS n
            FROM (SELECT coalesce((timings ->> 'playing')::float8, (timings ->> 'textFirst')::float8)
                         - (timings ->> 'prompt')::float8 AS ms
                    FROM call_turns WHERE call_id = of_call AND role = 'assistant') turns
           WHERE ms >= 0 GROUP BY 1)
        SELECT CASE WHEN EXISTS (SELECT FROM found)
                    THEN (SELECT array_agg(coalesce(n, 0) ORDER BY place)
                            FROM generate_series(0, 11) AS places (place) LEFT JOIN found USING (place))
                    ELSE '{}' END
      $$;
      -- The carrier's own texts are no outcomes.
      CREATE FUNCTION call_outcome(ended_reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE WHEN ended_reason IS NULL THEN 'none' WHEN ended_reason ~ '^[a-z_]{1,40}$' THEN ended_reason
                    ELSE 'other' END
      $$;
      -- What calls can be grouped by: booleans and short texts.
      CREATE FUNCTION call_stat_evaluation(plan jsonb, evaluation jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(jsonb_object_agg(field ->> 'name', evaluation -> (field ->> 'name')), '{}')
          FROM jsonb_array_elements(coalesce(plan -> 'schema', '[]')) AS field
         WHERE CASE jsonb_typeof(evaluation -> (field ->> 'name'))
                 WHEN 'boolean' THEN field ->> 'type' = 'bool'
                 WHEN 'string' THEN field ->> 'type' = 'string'
                   AND length(evaluation ->> (field ->> 'name')) BETWEEN 1 AND 40
                 ELSE false END
      $$;
      -- The value of the first boolean field; null where it has none.
      CREATE FUNCTION call_success(plan jsonb, evaluation jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE jsonb_typeof(evaluation -> (field ->> 'name'))
                 WHEN 'boolean' THEN (evaluation -> (field ->> 'name'))::boolean END
          FROM jsonb_array_elements(coalesce(plan -> 'schema', '[]')) WITH ORDINALITY AS fields (field, place)
         WHERE field ->> 'type' = 'bool' ORDER BY place LIMIT 1
      $$;
      CREATE FUNCTION add_counts(one int[], other int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE WHEN other = '{}' THEN one WHEN one = '{}' THEN other
                    ELSE ARRAY(SELECT a + b FROM unnest(one, other) AS both_of (a, b)) END
      $$;

      CREATE FUNCTION count_responses() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.response_counts := CASE WHEN NEW.answered_at IS NULL THEN '{}'::int[] ELSE call_response_counts(NEW.id) END;
        RETURN NEW;
      END $$;
      CREATE TRIGGER calls_count_responses BEFORE INSERT OR UPDATE OF status ON calls FOR EACH ROW
        WHEN (NEW.response_counts IS NULL AND NEW.status IN ${FINAL}) EXECUTE FUNCTION count_responses();

      CREATE FUNCTION change_call_stats() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO call_stat_changes (account_id, hour, assistant_id, campaign_id, type, status, outcome, answered_by,
          n, connected, answered, seconds, cost_micros, evaluated, succeeded, responses, evaluation)
        SELECT account_id, date_trunc('hour', created_at, 'UTC'), assistant_id, campaign_id, type, status,
               call_outcome(ended_reason), answered_by, sign, sign * (answered_at IS NOT NULL)::int,
               sign * (answered_at IS NOT NULL AND answered_by <> 'machine')::int, sign * duration,
               sign * total_cost_micros, sign * (success IS NOT NULL)::int, sign * coalesce(success, false)::int,
               ARRAY(SELECT sign * n FROM unnest(response_counts) WITH ORDINALITY AS counts (n, place) ORDER BY place),
               call_stat_evaluation(evaluation_plan, evaluation)
          FROM (VALUES (-1, ${of('OLD', COLUMNS)}), (1, ${of('NEW', COLUMNS)})) AS changed (sign, ${COLUMNS.join(', ')})
          CROSS JOIN LATERAL (SELECT call_success(evaluation_plan, evaluation) AS success) AS evaluated
         WHERE response_counts IS NOT NULL AND deleted_at IS NULL;
        RETURN NULL;
      END $$;
      CREATE TRIGGER calls_stats_insert AFTER INSERT ON calls FOR EACH ROW
        WHEN (NEW.response_counts IS NOT NULL) EXECUTE FUNCTION change_call_stats();
      CREATE TRIGGER calls_stats_update AFTER UPDATE OF ${COUNTED.join(', ')} ON calls FOR EACH ROW
        WHEN (NEW.response_counts IS NOT NULL
              AND (${of('OLD', COUNTED)}) IS DISTINCT FROM (${of('NEW', COUNTED)}))
        EXECUTE FUNCTION change_call_stats();

      -- What the statistics have to be sums of.
      CREATE VIEW counted_calls AS
        SELECT account_id, date_trunc('hour', created_at, 'UTC') AS hour, assistant_id, campaign_id, type, status,
               call_outcome(ended_reason) AS outcome, answered_by, 1 AS n, (answered_at IS NOT NULL)::int AS connected,
               (answered_at IS NOT NULL AND answered_by <> 'machine')::int AS answered, duration AS seconds,
               total_cost_micros AS cost_micros, (success IS NOT NULL)::int AS evaluated,
               coalesce(success, false)::int AS succeeded, response_counts AS responses,
               call_stat_evaluation(evaluation_plan, evaluation) AS evaluation
          FROM calls CROSS JOIN LATERAL (SELECT call_success(evaluation_plan, evaluation) AS success) AS evaluated
         WHERE response_counts IS NOT NULL AND deleted_at IS NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP VIEW counted_calls;
      DROP TRIGGER calls_stats_update ON calls;
      DROP TRIGGER calls_stats_insert ON calls;
      DROP TRIGGER calls_count_responses ON calls;
      DROP FUNCTION change_call_stats, count_responses, add_counts, call_success, call_stat_evaluation, call_outcome,
        call_response_counts;
      DROP TABLE call_stat_values, call_stats, call_stat_changes;
      ALTER TABLE calls DROP COLUMN response_counts;
    `);
  }
}
