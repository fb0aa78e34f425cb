import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { toIsoMicros } from '#src/common/time/time.js';

export interface ToolRow {
  id: number;
  name: string;
  description: string;
  endpoint: string;
  method: string;
  timeout: number;
  headers: { name: string; value: string }[];
  schema: { name: string; type: string; description: string }[];
  created_at: Date;
  updated_at: Date;
}

export const TOOL_COLUMNS =
  'id, name, description, endpoint, method, timeout, headers, schema, created_at, updated_at';

export function toolRoutes(api: FastifyInstance, pool: Pool): void {
  api.get('/user/tools', async ({ accountId }) => {
    const { rows } = await pool.query<ToolRow>(
      `SELECT ${TOOL_COLUMNS} FROM tools WHERE account_id = $1 ORDER BY created_at DESC, id DESC`,
      [accountId],
    );
    return rows.map(toTool);
  });
}

export const toTool = (row: ToolRow) => ({
  ...row,
  created_at: toIsoMicros(row.created_at),
  updated_at: toIsoMicros(row.updated_at),
});
