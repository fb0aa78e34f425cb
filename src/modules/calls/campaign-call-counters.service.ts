import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ACTION_BY_TOOL } from './states/call-actions.js';
import { FINAL_STATUSES } from './states/call-states.js';

/** Counts by status or type; those without any may be absent. */
type Counts = Record<string, number>;

/** Sample size of a mean. */
const NEWEST_CALLS = 200;

/** SQL condition for calls of campaigns that are not deleted. */
const SHOWN = 'campaign_id IS NOT NULL AND deleted_at IS NULL';
const OF_CAMPAIGN = '($1::int IS NULL OR campaign_id = $1)';

const storedResults = (kind: string): string =>
  `SELECT campaign_id, name, sum(n) AS n FROM call_result_counts WHERE kind = '${kind}' AND ${OF_CAMPAIGN} GROUP BY 1, 2`;

const rebuildResults = (kind: string, counted: string): string[] => [
  `DELETE FROM call_result_counts WHERE kind = '${kind}' AND campaign_id = $1`,
  `INSERT INTO call_result_counts (campaign_id, kind, name, part, n)
   SELECT campaign_id, '${kind}', name, 0, n FROM (${counted}) call`,
];

const TRANSFERS = `SELECT campaign_id, transfer ->> 'status' AS name, count(*) AS n
  FROM calls CROSS JOIN LATERAL jsonb_array_elements(transfers) AS transfer
 WHERE transfers <> '[]'::jsonb AND ${SHOWN} AND ${OF_CAMPAIGN} GROUP BY 1, 2`;

const ACTIONS = `SELECT campaign_id, run.tool_name AS name, count(DISTINCT calls.id) AS n
  FROM calls JOIN call_tool_runs run ON run.call_id = calls.id
 WHERE is_action(run) AND ${SHOWN} AND ${OF_CAMPAIGN} GROUP BY 1, 2`;

/** Calls by status in `call_tallies`. The parameter of all is a campaign's id. */
export const CALL_COUNTER_AUDIT = {
  // The second one, because of the job that compacts it.
  tables: 'calls, call_tallies',
  counted: `SELECT campaign_id, status AS name, count(*) AS n FROM calls
             WHERE ${SHOWN} AND ${OF_CAMPAIGN} GROUP BY 1, 2`,
  stored: `SELECT campaign_id, status AS name, sum(n) AS n FROM call_tallies
            WHERE campaign_id IS NOT NULL AND ${OF_CAMPAIGN} GROUP BY 1, 2`,
  rebuild: [
    'DELETE FROM call_tallies WHERE campaign_id = $1',
    `INSERT INTO call_tallies (account_id, day, assistant_id, campaign_id, type, status, n)
     SELECT account_id, created_at::date, assistant_id, campaign_id, type, status, count(*)
       FROM calls WHERE deleted_at IS NULL AND campaign_id = $1 GROUP BY 1, 2, 3, 4, 5, 6`,
  ],
};

export const TRANSFER_COUNTER_AUDIT = {
  tables: 'calls',
  counted: TRANSFERS,
  stored: storedResults('transfer'),
  rebuild: rebuildResults('transfer', TRANSFERS),
};

export const ACTION_COUNTER_AUDIT = {
  tables: 'calls, call_tool_runs',
  counted: ACTIONS,
  stored: storedResults('action'),
  rebuild: rebuildResults('action', ACTIONS),
};

/** Counts of a campaign's calls and their results, from counters that triggers keep (docs/build/adr/0027). */
@Injectable()
export class CampaignCallCountersService {
  constructor(private readonly db: DataSource) {}

  async countByStatus(accountId: number, campaignId: number): Promise<Counts> {
    const rows: { status: string; n: number }[] = await this.db.query(
      'SELECT status, sum(n)::int AS n FROM call_tallies WHERE campaign_id = $1 AND account_id = $2 GROUP BY status',
      [campaignId, accountId],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  }

  /** Finished calls by campaign; campaigns without any are absent. */
  async countFinished(accountId: number, campaignIds: readonly number[]): Promise<Map<number, number>> {
    const rows: { id: number; n: number }[] = await this.db.query(
      `SELECT campaign_id AS id, sum(n)::int AS n FROM call_tallies
        WHERE campaign_id = ANY($2) AND account_id = $1 AND status = ANY($3) GROUP BY 1`,
      [accountId, campaignIds, FINAL_STATUSES],
    );
    return new Map(rows.map(({ id, n }) => [id, n]));
  }

  /** Transfer attempts by status. */
  async countTransfers(campaignId: number): Promise<Counts> {
    return Object.fromEntries(await this.countResults(campaignId, 'transfer'));
  }

  /** Calls that have a successful action of each type. */
  async countByType(campaignId: number): Promise<Counts> {
    const counts = await this.countResults(campaignId, 'action');
    return Object.fromEntries(counts.map(([tool, n]) => [ACTION_BY_TOOL[tool] ?? tool, n]));
  }

  /**
   * Mean duration of a call of each campaign, from dialling to its end: of the ended ones among the newest 200 calls of
   * the last hour. Campaigns without any are absent.
   */
  async meanCallSeconds(accountId: number, campaignIds: readonly number[]): Promise<Map<number, number>> {
    const rows: { id: number; seconds: number }[] = await this.db.query(
      `SELECT c.id, avg(extract(epoch FROM call.ended_at - call.created_at))::float8 AS seconds
         FROM unnest($2::int[]) AS c (id) CROSS JOIN LATERAL (
           SELECT created_at, ended_at FROM calls
            WHERE account_id = $1 AND campaign_id = c.id AND deleted_at IS NULL
              AND created_at > now() - interval '1 hour'
            ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_CALLS}) call
        WHERE call.ended_at IS NOT NULL GROUP BY c.id`,
      [accountId, campaignIds],
    );
    return new Map(rows.map(({ id, seconds }) => [id, seconds]));
  }

  private async countResults(campaignId: number, kind: string): Promise<[name: string, n: number][]> {
    const rows: { name: string; n: number }[] = await this.db.query(
      `SELECT name, sum(n)::int AS n FROM call_result_counts WHERE campaign_id = $1 AND kind = $2 GROUP BY name`,
      [campaignId, kind],
    );
    return rows.map(({ name, n }) => [name, n]);
  }
}
