import type { Pool } from 'pg';
import { assistantBody } from '../rest/bodies.js';
import { fillCalls } from '../rest/fill-calls.js';
import { anAccount, type BenchAccount } from '../support/account.js';
import type { BenchDatabase } from '../support/database.js';
import { startService } from '../support/service.js';
import type { Customer } from './calls-of-year.js';

const ASSISTANTS = 5;
/** Their ids begin beyond those of the other account. */
const FIRST_OTHER_CALL = 1_000_000_000;

export interface Parties {
  customer: Customer & BenchAccount;
  /** Without a rule. */
  other: BenchAccount & { campaignId: number; callIds: number[] };
}

/** Two accounts with assistants, made by a service that runs only for this; the other one has calls. */
export async function someParties(database: BenchDatabase, otherCalls: number): Promise<Parties> {
  const { pool } = database;
  const [account, other] = [await anAccount(pool, 'retention'), await anAccount(pool, 'neighbour')];
  const service = await startService(database);
  try {
    const assistantIds: number[] = [];
    for (let number = 0; number < ASSISTANTS; number++)
      assistantIds.push(await make(service.url, account, 'assistant', assistantBody(number)));
    const assistant_id = await make(service.url, other, 'assistant', assistantBody(0));
    const campaignId = await make(service.url, other, 'campaigns', { name: 'Spring offer', assistant_id });
    const callIds = await fillOther(pool, other, otherCalls);
    return {
      customer: { ...account, accountId: account.id, assistantIds },
      other: { ...other, campaignId, callIds },
    };
  } finally {
    await service.stop();
  }
}

/** Of the account, and of its last assistant, which has fewer. */
export async function setDays(
  url: string,
  { headers, assistantIds }: Parties['customer'],
  days: number,
  narrowDays: number,
): Promise<void> {
  const rule = (count: number) => ({
    recordings_days: count,
    transcripts_days: count,
    variables_days: count,
    conversations_days: count,
    deliveries_days: count,
    mask_numbers: true,
  });
  await send(url, 'PUT', headers, 'retention', { ...rule(days), sms_days: days });
  await send(url, 'PUT', headers, `assistant/${assistantIds.at(-1)}`, { retention: rule(narrowDays) });
}

async function make(url: string, { headers }: BenchAccount, path: string, body: object): Promise<number> {
  const { data } = (await send(url, 'POST', headers, path, body)) as { data: { id: number } };
  return data.id;
}

async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  path: string,
  body: object,
): Promise<unknown> {
  const answer = await fetch(`${url}/api/user/${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

async function fillOther(pool: Pool, { id }: BenchAccount, calls: number): Promise<number[]> {
  await pool.query(`SELECT setval(pg_get_serial_sequence('calls', 'id'), $1)`, [FIRST_OTHER_CALL]);
  await fillCalls(pool, [id], calls);
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM calls WHERE account_id = $1', [id]);
  return rows.map((row) => row.id);
}
