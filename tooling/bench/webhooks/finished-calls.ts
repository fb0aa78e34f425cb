import type { Pool, PoolClient } from 'pg';

export interface Customer {
  accountId: number;
  assistantId: number;
}

/** A transcript of two minutes, for a realistic size. */
const TRANSCRIPT = Array.from(
  { length: 24 },
  (_, turn) =>
    `${turn % 2 === 0 ? 'AI' : 'Customer'}: Turn ${turn} of a conversation about an appointment on Thursday.`,
).join('\n');

/** Publishes the completion of the calls. */
export async function tellOfCalls(pool: Pool | PoolClient, ids: readonly number[]): Promise<void> {
  await pool.query(
    `WITH told AS (
       INSERT INTO domain_events (kind, payload)
       SELECT 'call.completed', jsonb_build_object('callId', id, 'accountId', account_id)
         FROM calls WHERE id = ANY($1) ORDER BY id)
     SELECT pg_notify('domain_events', '')`,
    [ids],
  );
}

/** Completed calls, one per customer in turn, with their events in the same transaction. @returns their ids */
export async function finishCalls(
  pool: Pool,
  customers: readonly Customer[],
  count: number,
): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const ids = await insertCalls(client, customers, count);
    await tellOfCalls(client, ids);
    await client.query('COMMIT');
    return ids;
  } finally {
    client.release();
  }
}

/** Without their events. */
export async function insertCalls(
  pool: Pool | PoolClient,
  customers: readonly Customer[],
  count: number,
): Promise<number[]> {
  const accounts = Array.from({ length: count }, (_, index) => customers[index % customers.length]);
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, answered_by, ended_by, ended_reason, duration, transcript, evaluation,
         price_per_minute_micros, total_cost_micros, max_duration, wrap_up_state, answered_at, ended_at)
       SELECT account, assistant, 'Bench', 'outbound', 'completed', gen_random_uuid()::text, '+14155550100',
         '+15005550020', '{"name": "Ada"}', 'human', 'customer', 'customer_hangup', 120, $3,
         '{"status": true, "summary": "An appointment was made."}', 10000, 30000, 600, 'done', now(), now()
         FROM unnest($1::int[], $2::int[]) AS customer (account, assistant)
       RETURNING id`,
    [
      accounts.map((customer) => customer?.accountId),
      accounts.map((customer) => customer?.assistantId),
      TRANSCRIPT,
    ],
  );
  return rows.map(({ id }) => id);
}
