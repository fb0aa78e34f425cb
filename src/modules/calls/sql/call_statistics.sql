-- What statistics count of a call (docs/build/adr/0038).

-- Upper bounds of response times in milliseconds. analytics/call-statistics.ts reads them here.
CREATE OR REPLACE FUNCTION response_bounds() RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[250, 500, 750, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 6000]
$$;

-- Answers of the assistant by how long the customer waited: what is below the first bound counts in the first place of
-- the array, what reaches the last one in the last place.
CREATE OR REPLACE FUNCTION call_response_counts(of_call int) RETURNS int[] LANGUAGE sql STABLE AS $$
  WITH found AS (
    SELECT width_bucket(ms, response_bounds()) AS place,
           count(*)::int AS n
      FROM (SELECT coalesce((timings ->> 'playing')::float8, (timings ->> 'textFirst')::float8)
                   - (timings ->> 'prompt')::float8 AS ms
              FROM call_turns WHERE call_id = of_call AND role = 'assistant') turns
     WHERE ms >= 0 GROUP BY 1)
  SELECT CASE WHEN EXISTS (SELECT FROM found)
              THEN (SELECT array_agg(coalesce(n, 0) ORDER BY place)
                      FROM generate_series(0, cardinality(response_bounds())) AS places (place)
                      LEFT JOIN found USING (place))
              ELSE '{}' END
$$;

-- The carrier's own texts are no outcomes.
CREATE OR REPLACE FUNCTION call_outcome(ended_reason text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN ended_reason IS NULL THEN 'none' WHEN ended_reason ~ '^[a-z_]{1,40}$' THEN ended_reason
              ELSE 'other' END
$$;

-- What calls can be grouped by: booleans and short texts.
CREATE OR REPLACE FUNCTION call_stat_evaluation(plan jsonb, evaluation jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(field ->> 'name', evaluation -> (field ->> 'name')), '{}')
    FROM jsonb_array_elements(coalesce(plan -> 'schema', '[]')) AS field
   WHERE CASE jsonb_typeof(evaluation -> (field ->> 'name'))
           WHEN 'boolean' THEN field ->> 'type' = 'bool'
           WHEN 'string' THEN field ->> 'type' = 'string'
             AND length(evaluation ->> (field ->> 'name')) BETWEEN 1 AND 40
           ELSE false END
$$;

-- What statistics go on to count when an evaluation is removed: what is true or false; texts count as `other`.
CREATE OR REPLACE FUNCTION call_evaluation_rest(plan jsonb, evaluation jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'string' THEN '"other"' ELSE value END), '{}')
    FROM jsonb_each(call_stat_evaluation(plan, evaluation))
$$;

-- The value of the first boolean field; null where it has none.
CREATE OR REPLACE FUNCTION call_success(plan jsonb, evaluation jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof(evaluation -> (field ->> 'name'))
           WHEN 'boolean' THEN (evaluation -> (field ->> 'name'))::boolean END
    FROM jsonb_array_elements(coalesce(plan -> 'schema', '[]')) WITH ORDINALITY AS fields (field, place)
   WHERE field ->> 'type' = 'bool' ORDER BY place LIMIT 1
$$;

CREATE OR REPLACE FUNCTION add_counts(one int[], other int[]) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN other = '{}' THEN one WHEN one = '{}' THEN other
              ELSE ARRAY(SELECT a + b FROM unnest(one, other) AS both_of (a, b)) END
$$;
