import type { DataSource } from 'typeorm';
import { LANGUAGE_MODELS, LANGUAGES, PLANS, SPEECH_PROVIDERS, VOICES } from './catalogue-data.js';

/** Updates the catalogue. Keeps rows that an operator added and plans that an operator changed. */
export async function seedCatalogue(db: DataSource): Promise<void> {
  await upsert(db, 'languages', 'id', LANGUAGES);
  await upsert(db, 'language_models', 'id', LANGUAGE_MODELS);
  await upsert(db, 'voices', 'id', VOICES);
  await upsert(db, 'speech_providers', 'id', SPEECH_PROVIDERS);
  await db.query(
    `INSERT INTO plans (name, max_tools, max_assistants, max_campaigns, max_leads_per_campaign, max_parallel_calls,
                        price_per_minute_micros)
     SELECT name, max_tools, max_assistants, max_campaigns, max_leads_per_campaign, max_parallel_calls,
            price_per_minute_micros
       FROM jsonb_populate_recordset(NULL::plans, $1) ON CONFLICT (name) DO NOTHING`,
    [JSON.stringify(PLANS)],
  );
  await db.query(
    `INSERT INTO sms_prices (country, price_micros)
     SELECT NULL, 75000 WHERE NOT EXISTS (SELECT 1 FROM sms_prices WHERE country IS NULL)`,
  );
}

async function upsert(db: DataSource, table: string, key: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const updates = columns
    .filter((column) => column !== key)
    .map((column) => `${column} = excluded.${column}`);
  await db.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1)
     ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`,
    [JSON.stringify(rows)],
  );
}
