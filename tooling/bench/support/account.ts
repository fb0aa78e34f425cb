import type { Pool } from 'pg';
import { hashToken, newAccessToken } from '#src/auth/access-tokens.service.js';

export interface BenchAccount {
  id: number;
  /** Headers with the account's token, for JSON. */
  headers: Record<string, string>;
}

/** An account on the plan `unlimited` with a balance, a token and a phone number to call from. */
export async function anAccount(pool: Pool, name: string): Promise<BenchAccount> {
  const token = newAccessToken();
  const { rows } = await pool.query<{ id: number }>(
    `WITH account AS (
       INSERT INTO accounts (name, email, plan_id, country, balance_micros)
       SELECT $1, $1 || '@example.com', id, 'US', 1000000000000 FROM plans WHERE name = 'unlimited' RETURNING id),
     entry AS (
       INSERT INTO ledger_entries (account_id, kind, reference, amount_micros, balance_micros)
       SELECT id, 'top-up', $1, 1000000000000, 1000000000000 FROM account),
     token AS (INSERT INTO access_tokens (account_id, name, token_hash) SELECT id, 'bench', $2 FROM account),
     number AS (
       INSERT INTO phone_numbers (account_id, phone_number, country_code, sms_capable)
       SELECT id, '+1415' || lpad(id::text, 7, '0'), 'US', true FROM account)
     SELECT id FROM account`,
    [name, hashToken(token)],
  );
  const [account] = rows;
  if (!account) throw new Error('there is no plan named unlimited');
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  };
  return { id: account.id, headers };
}
