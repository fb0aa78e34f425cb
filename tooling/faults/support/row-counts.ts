import pg from 'pg';
import { countKey } from '../verifiers/api.js';

interface CountedRow {
  kinds: string[];
  account_id: number;
  marker: string;
  n: number;
}

/** Number of rows by name, number and text. Leads come from single requests and from imports. */
export async function rowCounts(databaseUrl: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<CountedRow>(
      `SELECT kinds, account_id, marker, count(*)::int AS n FROM (
         SELECT '{lead,import}'::text[] AS kinds, account_id, phone_number AS marker FROM leads
         UNION ALL SELECT '{assistant}', account_id, name FROM assistants
         UNION ALL SELECT '{campaign}', account_id, name FROM campaigns
         UNION ALL SELECT '{tool}', account_id, name FROM tools
         UNION ALL SELECT '{call}', account_id, client_phone_number FROM calls
         UNION ALL SELECT '{sms}', account_id, body FROM sms_messages) AS written
        GROUP BY kinds, account_id, marker`,
    );
    return new Map(
      rows.flatMap(({ kinds, account_id, marker, n }) =>
        kinds.map((kind) => [countKey(kind, account_id, marker), n] as const),
      ),
    );
  } finally {
    await client.end();
  }
}
