import pg from 'pg';
import type { CallFacts, StoredEvent } from '../verifiers/events.js';

const FINAL = `('completed', 'busy', 'no-answer', 'failed')`;

/** Calls and their events in the database. */
export class EventQueries {
  private readonly pool: pg.Pool;

  constructor(connectionString: string) {
    this.pool = new pg.Pool({ connectionString, max: 2 });
  }

  async stored(accountId: number): Promise<(StoredEvent & { at: number })[]> {
    const { rows } = await this.pool.query<StoredEvent & { at: number }>(
      `SELECT seq::float8 AS seq, call_id AS "callId", kind, md5(data::text) AS hash,
              CASE WHEN kind IN ('turn', 'tool') THEN (data->>'seq')::int END AS "itemSeq",
              extract(epoch FROM created_at)::float8 * 1000 AS at
         FROM live_events WHERE account_id = $1 ORDER BY seq`,
      [accountId],
    );
    return rows;
  }

  async calls(accountId: number): Promise<CallFacts[]> {
    const { rows } = await this.pool.query<CallFacts>(
      `SELECT c.id, c.status IN ${FINAL} AS "isFinal",
              ARRAY(SELECT seq FROM call_turns t WHERE t.call_id = c.id
                     UNION ALL SELECT seq FROM call_tool_runs r WHERE r.call_id = c.id) AS items
         FROM calls c WHERE c.account_id = $1 ORDER BY c.id`,
      [accountId],
    );
    return rows;
  }

  async progress(): Promise<{ running: number; open: number; unnumbered: number }> {
    const { rows } = await this.pool.query<{ running: number; open: number; unnumbered: number }>(
      `SELECT (count(*) FILTER (WHERE status = 'in-progress'))::int AS running,
              (count(*) FILTER (WHERE status NOT IN ${FINAL}))::int AS open,
              (SELECT count(*)::int FROM live_events WHERE seq IS NULL) AS unnumbered FROM calls`,
    );
    return rows[0] ?? { running: 0, open: 0, unnumbered: 0 };
  }

  async revoke(accountId: number): Promise<void> {
    await this.pool.query('UPDATE access_tokens SET revoked_at = now() WHERE account_id = $1', [accountId]);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
