-- The argument of a function that tells what the assistant did; null: the tool is no such function.
CREATE OR REPLACE FUNCTION action_argument(tool_name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE tool_name
           WHEN 'call_screening' THEN 'step'
           WHEN 'send_digits' THEN 'digits'
           WHEN 'switch_language' THEN 'language'
           WHEN 'schedule_callback' THEN 'local_time'
           WHEN 'voicemail' THEN 'outcome' END
$$;

-- The argument of a tool run that tells what the assistant did in a call; null: the run is no action. A user's tool may
-- have the name of a function, but its endpoint has a status code.
CREATE OR REPLACE FUNCTION action_detail(run call_tool_runs) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN run.status_code IS NULL AND jsonb_typeof(run.arguments -> argument) = 'string'
              THEN run.arguments ->> argument END
    FROM (SELECT action_argument(run.tool_name) AS argument) AS tool
$$;

-- Whether it is one that succeeded.
CREATE OR REPLACE FUNCTION is_action(run call_tool_runs) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT run.ok AND action_detail(run) IS NOT NULL
$$;
