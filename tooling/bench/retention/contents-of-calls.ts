/**
 * SQL that adds the rows of the calls of an account (`$1`) with the ids `$2` to `$3`, by table: three to six turns, and
 * for a part of the calls a tool run, a delivery with its attempt, a text conversation and an SMS of the same time.
 */
export const ADDED_ROWS = {
  call_turns: `
    INSERT INTO call_turns (call_id, seq, role, text, timings, created_at)
    SELECT id, seq, CASE WHEN seq % 2 = 0 THEN 'customer' ELSE 'assistant' END,
           'Tomorrow at ten would be good, if that is possible: call ' || id || ', turn ' || seq,
           CASE WHEN seq % 2 = 0 THEN '{}'::jsonb ELSE '{"prompt": 1000, "textFirst": 1400}' END,
           created_at + seq * interval '10 seconds'
      FROM ${ofCalls('true')}, generate_series(1, 3 + id % 4) AS seq`,
  call_tool_runs: `
    INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, duration_ms, created_at)
    SELECT id, 10, 'send_digits', jsonb_build_object('digits', id::text), 'ok', true, 20, created_at
      FROM ${ofCalls('id % 5 = 0')}`,
  call_webhook_responses: `
    INSERT INTO call_webhook_responses (call_id, response)
    SELECT id, '{"status_code": 200, "body": "ok", "attempts": 1, "error": null}' FROM ${ofCalls('id % 10 = 0')}`,
  webhook_deliveries: `
    WITH added AS (
      INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, call_id, assistant_id, url,
        receiver, body, state, attempts, due_at, delivered_at, created_at)
      SELECT account_id, 'call:' || id, 'post-call', 'call.completed', 'msg_' || id, id, assistant_id,
             'https://example.com/calls', 'example.com',
             jsonb_build_object('call_id', id, 'transcript', transcript, 'variables', variables, 'evaluation', evaluation),
             'delivered', 1, ended_at, ended_at, ended_at
        FROM ${ofCalls('id % 10 = 0')} RETURNING id, url, created_at)
    INSERT INTO webhook_attempts (delivery_id, number, url, status_code, response_body, duration_ms, created_at)
    SELECT id, 1, url, 200, 'ok', 30, created_at FROM added`,
  chats: `
    WITH added AS (
      INSERT INTO chats (account_id, assistant_id, assistant_name, type, variables, price_micros, total_cost_micros,
        state, ended_reason, message_count, asked_seq, answered_seq, evaluation, external_identifier, created_at,
        updated_at, ended_at)
      SELECT account_id, assistant_id, assistant_name, 'api', variables, 1000, 3000, 'ended', 'silence', 6, 3, 3,
             '{"interested": true}', 'customer-' || id, created_at, ended_at, ended_at
        FROM ${ofCalls('id % 33 = 0')} RETURNING id, created_at)
    INSERT INTO chat_turns (chat_id, seq, message, answer, function_calls, cost_micros, created_at, answered_at)
    SELECT id, seq, 'When do you open? ' || id, 'We open at nine, on Sundays at ten.',
           '[{"name": "opening_hours", "arguments": {"day": "Sunday"}, "result": "10:00"}]', 1000, created_at, created_at
      FROM added, generate_series(1, 3) AS seq`,
  sms_messages: `
    INSERT INTO sms_messages (account_id, phone_number_id, from_number, to_number, body, segments, segment_price_micros,
      total_cost_micros, status, token, sms_sid, created_at, updated_at)
    SELECT account_id, 1, assistant_phone_number, client_phone_number, 'Your order ' || id || ' is ready.', 1, 8000, 8000,
           'delivered', 'year-' || id, 'SM' || lpad(id::text, 32, '0'), ended_at, ended_at
      FROM ${ofCalls('id % 50 = 7')}`,
};

function ofCalls(condition: string): string {
  return `(SELECT * FROM calls WHERE account_id = $1::int AND id BETWEEN $2::int AND $3::int AND ${condition}) AS call`;
}
