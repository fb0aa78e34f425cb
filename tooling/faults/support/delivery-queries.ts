import pg from 'pg';

export interface ExpectedDelivery {
  callId: number;
  channel: string;
  webhookId: string | null;
  state: string | null;
  /** Number of logged attempts with status 200. */
  recorded: number;
}

export interface RecordedAttempt {
  webhookId: string;
  /** Milliseconds since the epoch. */
  at: number;
  statusCode: number | null;
}

/** Reads expected and actual deliveries from the database. */
export class DeliveryQueries {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 1 });
    this.pool.on('error', () => undefined);
  }

  /** Running calls, pending events and deliveries, with their pending steps. */
  async underWay(): Promise<string[]> {
    const { rows } = await this.pool.query<{ line: string }>(
      `SELECT concat_ws(' ', 'call', id, status, 'checked', check_at) AS line
         FROM calls WHERE status NOT IN ('completed', 'busy', 'no-answer', 'failed')
       UNION ALL
       SELECT concat_ws(' ', 'event', kind, payload, attempts, 'times,', last_error) AS line
         FROM domain_events WHERE state = 'pending'
       UNION ALL
       SELECT concat_ws(' ', 'delivery', id, 'claimed', claims, 'times, tried', attempts, 'times, due', due_at, error)
         FROM webhook_deliveries row
         LEFT JOIN LATERAL (SELECT error FROM webhook_attempts WHERE delivery_id = row.id ORDER BY number DESC LIMIT 1)
           AS last ON true
        WHERE state = 'pending'`,
    );
    return rows.map(({ line }) => line);
  }

  /** One per call and channel of its direction, with its state. */
  async expected(): Promise<ExpectedDelivery[]> {
    const { rows } = await this.pool.query<ExpectedDelivery>(
      `SELECT calls.id AS "callId", wanted.channel, row.webhook_id AS "webhookId", row.state,
              (SELECT count(*)::int FROM webhook_attempts WHERE delivery_id = row.id AND status_code = 200) AS recorded
         FROM calls
         JOIN (VALUES ('outbound', 'post-call'), ('inbound', 'post-call'), ('inbound', 'inbound'))
           AS wanted (type, channel) USING (type)
         LEFT JOIN webhook_deliveries row ON row.call_id = calls.id AND row.channel = wanted.channel
        ORDER BY calls.id, wanted.channel`,
    );
    return rows;
  }

  /** Of all deliveries, oldest first. */
  async attempts(): Promise<RecordedAttempt[]> {
    const { rows } = await this.pool.query<RecordedAttempt>(
      `SELECT webhook_id AS "webhookId", status_code AS "statusCode",
              extract(epoch FROM attempt.created_at)::float * 1000 AS at
         FROM webhook_attempts attempt JOIN webhook_deliveries row ON row.id = delivery_id
        ORDER BY attempt.created_at, delivery_id, number`,
    );
    return rows;
  }

  /** Plants a defect: deletes a delivery. */
  async loseOne(): Promise<void> {
    await this.pool.query(
      'DELETE FROM webhook_deliveries WHERE id = (SELECT min(id) FROM webhook_deliveries)',
    );
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
