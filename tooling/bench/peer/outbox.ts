import type pg from 'pg';

/** A signed request with its response. */
export interface Posted {
  statusCode: number;
  text: string;
  durationMs: number;
}

interface OutboxRow {
  id: number;
  webhook_id: string;
  url: string;
}

interface PostOutcome extends Posted {
  id: number;
  url: string;
}

const BATCH = 50;
/** Maximum number of batches claimed and written in parallel. */
const RELAYS = 2;
/** Results within this time are recorded together. */
const GATHER_MS = 5;
const SEPARATOR = '\x1e';

const TABLES = `
  CREATE TABLE peer_events (LIKE domain_events INCLUDING ALL);
  CREATE TABLE peer_deliveries (LIKE webhook_deliveries INCLUDING ALL);
  CREATE TABLE peer_attempts (LIKE webhook_attempts INCLUDING ALL)`;

const TELL = `INSERT INTO peer_events (kind, payload)
  SELECT 'call.completed', jsonb_build_object('callId', n, 'accountId', n % $2 + 1) FROM generate_series(1, $1::int) AS n`;

const CLAIM = `UPDATE peer_events SET due_at = now() + interval '5 s', attempts = attempts + 1
  WHERE id IN (SELECT id FROM peer_events WHERE state = 'pending' AND due_at <= now() ORDER BY id LIMIT ${BATCH}
                FOR UPDATE SKIP LOCKED)
  RETURNING id, account_id`;

const WRITE = `INSERT INTO peer_deliveries
    (event_key, channel, event, webhook_id, account_id, assistant_id, url, receiver, body, claims, due_at)
  SELECT 'event ' || event, 'post-call', 'call.completed', 'msg_' || gen_random_uuid(), account, 1, url, url, body, 1,
         now() + interval '30 s'
    FROM ROWS FROM (unnest($1::bigint[]), unnest($2::int[]), unnest($3::text[]),
                    unnest(string_to_array($4, '${SEPARATOR}'))) AS given (event, account, url, body)
  ON CONFLICT (event_key, channel) DO NOTHING RETURNING id, webhook_id, url`;

const HANDLED = 'DELETE FROM peer_events WHERE id = ANY($1::bigint[])';

const RECORD = `WITH rows AS (
    UPDATE peer_deliveries row SET attempts = attempts + 1, state = 'delivered', delivered_at = now()
      FROM json_to_recordset($1::json) AS outcome (id int, url text, "statusCode" int, text text, "durationMs" float)
     WHERE row.id = outcome.id AND outcome.id BETWEEN 0 AND 2147483647
    RETURNING row.id, row.attempts, outcome.url, "statusCode", text, "durationMs")
  INSERT INTO peer_attempts (delivery_id, number, url, status_code, response_body, duration_ms)
  SELECT id, attempts, url, "statusCode", text, "durationMs"::int FROM rows`;

/**
 * Deliveries by plain statements, without a queue library: an outbox on copies of the service's tables without their
 * foreign keys, in batches. As in the service a row is written before its request and its result after it; calls are
 * not read or updated, addresses not checked, receivers not limited and retries not scheduled.
 *
 * @returns a function that delivers this number and resolves when all are recorded
 */
export async function openOutbox(
  pool: pg.Pool,
  urls: readonly string[],
  body: string,
  {
    concurrency,
    post,
  }: { concurrency: number; post(webhookId: string, url: string, body: string): Promise<Posted> },
): Promise<(count: number) => Promise<void>> {
  await pool.query(TABLES);
  const query = async <Found extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Found>({ name, text, values })).rows;
  const written: OutboxRow[] = [];
  let outcomes: PostOutcome[] = [];
  let running = 0;
  let left = 0;
  let done: () => void = () => undefined;
  let recording: Promise<void> | null = null;

  const send = async ({ id, webhook_id: webhookId, url }: OutboxRow): Promise<void> => {
    const posted = await post(webhookId, url, body);
    outcomes.push({ id, url, ...posted });
    running--;
    fill();
    recording ??= record();
  };
  const fill = (): void => {
    for (; running < concurrency && written.length > 0; running++) void send(written.shift() as OutboxRow);
  };
  const record = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    while (outcomes.length > 0) {
      const batch = outcomes;
      outcomes = [];
      await query('record', RECORD, [JSON.stringify(batch)]);
      left -= batch.length;
    }
    recording = null;
    if (left === 0) done();
  };
  const relay = async (): Promise<void> => {
    for (;;) {
      const events = await query<{ id: string; account_id: number }>('claim', CLAIM, []);
      if (events.length === 0) return;
      const ids = events.map(({ id }) => id);
      const receivers = events.map(({ account_id: account }) => urls[account % urls.length]);
      const bodies = events.map(() => body).join(SEPARATOR);
      const accounts = events.map(({ account_id: account }) => account);
      written.push(...(await query<OutboxRow>('write', WRITE, [ids, accounts, receivers, bodies])));
      fill();
      await query('handled', HANDLED, [ids]);
    }
  };
  return async (count) => {
    left = count;
    const all = new Promise<void>((resolve) => (done = resolve));
    await pool.query(TELL, [count, urls.length]);
    await Promise.all([...Array.from({ length: RELAYS }, relay), all]);
  };
}
