import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Client } from '../support/client.js';
import { database } from '../support/database.js';
import type { Pool } from 'pg';

export interface TestAccount {
  id: number;
  email: string;
  token: string;
  client: Client;
  /** An SMS-capable number with an unlimited subscription. */
  phoneNumber: { id: number; phone_number: string };
}

interface Options {
  /** The base URL of a service other than the shared one. */
  service?: { db: Pool; root: string };
  /** Units of the account's currency. */
  balance?: number;
  plan?: string;
  country?: string;
}

/** Inserts an account as the operator commands do. */
export async function anAccount({
  balance = 100,
  plan = 'standard',
  country = 'US',
  service,
}: Options = {}): Promise<TestAccount> {
  const db = service?.db ?? database();
  const name = randomBytes(6).toString('hex');
  const email = `${name}@example.com`;
  const { rows } = await db.query<{ id: number }>(
    `WITH account AS (
       INSERT INTO accounts (name, email, plan_id, country, balance_micros)
       SELECT $1, $2, id, $4, $5 FROM plans WHERE name = $3 RETURNING id),
     entry AS (
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
       SELECT id, 'top-up', $2, $5, $5 FROM account)
     SELECT id FROM account`,
    [name, email, plan, country, Math.round(balance * 1_000_000)],
  );
  const id = rows[0]?.id ?? 0;
  const token = newToken();
  await db.query(`INSERT INTO access_tokens (account_id, name, token_hash) VALUES ($1, 'test', $2)`, [
    id,
    createHash('sha256').update(token).digest('hex'),
  ]);
  const client = service ? new Client(token, service.root) : new Client(token);
  return { id, email, token, client, phoneNumber: await aPhoneNumber(id, { db }) };
}

export async function aPhoneNumber(
  accountId: number,
  { smsCapable = true, expiresAt = null as Date | null, db = database() } = {},
): Promise<{ id: number; phone_number: string }> {
  // Unique in a run, because all files share one database.
  const number = `+1${randomInt(415, 715)}${randomInt(2_000_000, 10_000_000)}`;
  const { rows } = await db.query<{ id: number; phone_number: string }>(
    `INSERT INTO phone_numbers (account_id, phone_number, country_code, sms_capable, subscription_expires_at)
     VALUES ($1, $2, 'US', $3, $4) RETURNING id, phone_number`,
    [accountId, number, smsCapable, expiresAt],
  );
  return rows[0] ?? { id: 0, phone_number: '' };
}

function newToken(): string {
  const secret = randomBytes(24).toString('hex');
  return `vac_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
}
