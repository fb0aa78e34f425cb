import pg from 'pg';

/** Leads of a campaign, inserted by SQL because there are many. */
export interface ManyLeads {
  accountId: number;
  campaignId: number;
  count: number;
  /** `zoneKeyOf` of the numbers. */
  zone: string;
  /** E.164 number of the lead `n` (0, 1, …), as SQL. */
  number: string;
  /** Leads refer to the numbers of other rows. */
  isDuplicate?: boolean;
}

/** Inserts leads and reads the state of campaigns. */
export class CampaignRows {
  private readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  async insert({
    accountId,
    campaignId,
    count,
    zone,
    number,
    isDuplicate = false,
  }: ManyLeads): Promise<void> {
    await this.pool.query(
      `INSERT INTO leads (account_id, campaign_id, phone_number, zone, is_duplicate)
       SELECT $1, $2, ${number}, $4, $5 FROM generate_series(0, $3 - 1) n`,
      [accountId, campaignId, count, zone, isDuplicate],
    );
  }

  async analyze(): Promise<void> {
    await this.pool.query('VACUUM ANALYZE leads');
  }

  /** A mark for `writtenSince`: the number of the next transaction. */
  async mark(): Promise<string> {
    const { rows } = await this.pool.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
    return rows[0]?.xid ?? '0';
  }

  /** How many of the campaigns' leads were updated or locked since the mark, or are gone. */
  async writtenSince(mark: string, campaigns: readonly number[], count: number): Promise<number> {
    const { rows } = await this.pool.query<{ written: number; present: number }>(
      `SELECT (count(*) FILTER (WHERE xmin::text::bigint >= $1::bigint OR xmax::text::bigint >= $1::bigint))::int AS written,
              count(*)::int AS present
         FROM leads WHERE campaign_id = ANY($2)`,
      [mark, campaigns],
    );
    const { written = 0, present = 0 } = rows[0] ?? {};
    return written + Math.abs(count - present);
  }

  /** Whether all of the campaigns wait for a later time. */
  async areAsleep(campaigns: readonly number[]): Promise<boolean> {
    const { rows } = await this.pool.query(
      `SELECT 1 FROM campaigns WHERE id = ANY($1) AND wake_at < now() + interval '10 minutes'`,
      [campaigns],
    );
    return rows.length === 0;
  }

  /** When the last call of a campaign ended, in milliseconds since the epoch; only of campaigns without a lead to call. */
  async ends(campaigns: readonly number[]): Promise<Map<number, number>> {
    const { rows } = await this.pool.query<{ id: number; at: number }>(
      `SELECT campaign_id AS id, extract(epoch FROM max(closed_at))::float * 1000 AS at
         FROM call_attempts attempt WHERE campaign_id = ANY($1)
          AND NOT EXISTS (SELECT 1 FROM leads WHERE leads.campaign_id = attempt.campaign_id
                             AND status NOT IN ('completed', 'reached-max-retries'))
        GROUP BY campaign_id`,
      [campaigns],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  /** Calls that the campaign has started. */
  async calls(campaignId: number): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM call_attempts WHERE campaign_id = $1',
      [campaignId],
    );
    return rows[0]?.n ?? 0;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
