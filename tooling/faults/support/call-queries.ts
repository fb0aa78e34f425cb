import pg from 'pg';

export interface CampaignAttempt {
  callId: number;
  leadId: number | null;
  token: string;
  /** State of the attempt; `closed`: its slot is released. */
  state: string;
  /** Status of the call. */
  status: string;
  sid: string | null;
  from: string;
  to: string;
  /** Milliseconds since the epoch; `closedAt` null while the slot is in use. */
  openedAt: number;
  closedAt: number | null;
}

export interface CampaignLead {
  id: number;
  status: string;
  /** E.164 */
  to: string;
  attempts: number;
}

/** Reads calls of campaigns and their leads from the database. */
export class CallQueries {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 1 });
    this.pool.on('error', () => undefined);
  }

  async attempts(): Promise<CampaignAttempt[]> {
    const { rows } = await this.pool.query<CampaignAttempt>(
      `SELECT calls.id AS "callId", attempt.lead_id AS "leadId", token, state, status, carrier_sid AS sid,
              assistant_phone_number AS "from", client_phone_number AS "to",
              extract(epoch FROM attempt.created_at)::float * 1000 AS "openedAt",
              extract(epoch FROM closed_at)::float * 1000 AS "closedAt"
         FROM call_attempts attempt JOIN calls ON calls.id = call_id ORDER BY calls.id`,
    );
    return rows;
  }

  /** @param campaignId null: of all campaigns */
  async leads(campaignId: number | null = null): Promise<CampaignLead[]> {
    const { rows } = await this.pool.query<CampaignLead>(
      `SELECT id, status, phone_number AS "to", attempts FROM leads
        WHERE main_lead_id IS NULL AND campaign_id = coalesce($1, campaign_id) ORDER BY id`,
      [campaignId],
    );
    return rows;
  }

  /** Number of calls by status, of each account. */
  async statuses(): Promise<Map<number, Record<string, number>>> {
    const { rows } = await this.pool.query<{ accountId: number; counts: Record<string, number> }>(
      `SELECT account_id AS "accountId", jsonb_object_agg(status, calls) AS counts
         FROM (SELECT account_id, status, count(*)::int AS calls FROM calls GROUP BY account_id, status) AS counted
        GROUP BY account_id`,
    );
    return new Map(rows.map(({ accountId, counts }) => [accountId, counts]));
  }

  /** Planted defect: one call of a statistic is not counted. */
  async miscount(): Promise<void> {
    await this.pool.query(
      `UPDATE call_stats SET n = n - 1 WHERE ctid =
         (SELECT ctid FROM call_stats WHERE dimension = 'status' AND n > 0 ORDER BY account_id LIMIT 1)`,
    );
  }

  /** Whether the calls of campaigns wait for the carrier. */
  async isCarrierPaused(): Promise<boolean> {
    const { rows } = await this.pool.query('SELECT 1 FROM carrier_breakers');
    return rows.length > 0;
  }

  /** Unfinished leads, calls and events, with their pending steps. */
  async underWay(): Promise<string[]> {
    const { rows } = await this.pool.query<{ line: string }>(
      `SELECT concat_ws(' ', 'lead', id, status, 'due', due_at) AS line FROM leads
        WHERE main_lead_id IS NULL AND status NOT IN ('completed', 'reached-max-retries', 'blacklisted')
       UNION ALL
       SELECT concat_ws(' ', 'call', id, status, 'checked', check_at) FROM calls
        WHERE status NOT IN ('completed', 'busy', 'no-answer', 'failed')
       UNION ALL
       SELECT concat_ws(' ', 'event', kind, payload, last_error) FROM domain_events WHERE state = 'pending'`,
    );
    return rows.map(({ line }) => line);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
