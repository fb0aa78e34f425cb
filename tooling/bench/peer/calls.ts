import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { toDateTime } from '#src/common/time/time.js';
import { firstPage } from './envelope.js';

interface CallRow {
  id: number;
  assistant_id: number;
  assistant_name: string;
  campaign_id: number | null;
  campaign_name: string | null;
  type: string;
  duration: number;
  assistant_phone_number: string;
  client_phone_number: string;
  status: string;
  transcript: string;
  variables: object;
  evaluation: object;
  webhook_response: object;
  carrier_cost_micros: string;
  total_cost_micros: string;
  answered_by: string;
  transfers: unknown[];
  recording_url: string | null;
  ended_by: string | null;
  ended_reason: string | null;
  settings_not_applied: string[];
  provider_failures: { kind: string; provider: string; voice: string | null; reason: string; at: string }[];
  created_at: Date;
  answered_at: Date | null;
  ended_at: Date | null;
  updated_at: Date;
}

const PER_PAGE = 15;

/** Page 1 without filters; as in the service the total is a sum of counters, and ids are read before rows. */
export function callRoutes(api: FastifyInstance, pool: Pool): void {
  api.get('/user/calls', async (request) => {
    const { accountId } = request;
    const sum = await pool.query<{ n: number }>(
      'SELECT COALESCE(sum(n), 0)::int AS n FROM call_tallies WHERE account_id = $1',
      [accountId],
    );
    const { rows } = await pool.query<CallRow>(
      `SELECT id, assistant_id, assistant_name, campaign_id, campaign_name, type, duration, assistant_phone_number, client_phone_number, status,
              transcript, variables, evaluation, coalesce(response, '{}') AS webhook_response, carrier_cost_micros,
              total_cost_micros, answered_by, transfers,
              recording_url, ended_by, ended_reason, settings_not_applied, provider_failures,
              created_at, answered_at, ended_at, updated_at
         FROM calls LEFT JOIN call_webhook_responses ON call_id = id
        WHERE id = ANY (ARRAY(SELECT id FROM calls WHERE account_id = $1 AND deleted_at IS NULL
                               ORDER BY created_at DESC, id DESC LIMIT ${PER_PAGE} OFFSET 0))
        ORDER BY created_at DESC, id DESC`,
      [accountId],
    );
    return firstPage(request, rows.map(toCall), sum.rows[0]?.n ?? 0, PER_PAGE);
  });
}

const toCall = (row: CallRow) => ({
  id: row.id,
  assistant_id: row.assistant_id,
  assistant_name: row.assistant_name,
  campaign_id: row.campaign_id,
  ...(row.campaign_name === null ? {} : { campaign_name: row.campaign_name }),
  type: row.type,
  duration: row.duration,
  assistant_phone_number: row.assistant_phone_number,
  client_phone_number: row.client_phone_number,
  status: row.status,
  transcript: row.transcript,
  variables: row.variables,
  evaluation: row.evaluation,
  webhook_response: row.webhook_response,
  carrier_cost: Number(row.carrier_cost_micros) / 1_000_000,
  total_cost: Number(row.total_cost_micros) / 1_000_000,
  answered_by: row.answered_by,
  transfers: row.transfers,
  ...(row.recording_url === null ? {} : { recording_url: row.recording_url }),
  ended_by: row.ended_by,
  ended_reason: row.ended_reason,
  settings_not_applied: row.settings_not_applied,
  provider_failures: row.provider_failures.map((failure) => ({
    ...failure,
    at: toDateTime(new Date(failure.at)),
  })),
  created_at: toDateTime(row.created_at),
  answered_at: row.answered_at && toDateTime(row.answered_at),
  ended_at: row.ended_at && toDateTime(row.ended_at),
  updated_at: toDateTime(row.updated_at),
});
