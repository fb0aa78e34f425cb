import type { Answer, Client } from './client.js';
import type { TestAccount } from '../factories/account.js';
import type { Pool } from 'pg';
import { database } from './database.js';
import { DELIVERED } from './sms.js';

/** Of the plan `standard`. */
export const MINUTE = 0.05;
/** Of a message to `DELIVERED`. */
export const SMS_PRICE = 0.075;

export interface Refusal {
  message: string;
  retry_after?: number;
}

export interface SpendLimit {
  spend_limit_per_hour: number | null;
  spent_this_hour: number;
  hour_ends_at: string;
}

interface ListedKey {
  id: number;
  spend_limit_per_hour: number | null;
  spent_this_hour: number;
}

export const spendLimit = async (client: Client): Promise<SpendLimit> =>
  (await client.get<{ data: SpendLimit }>('/user/spend-limit')).body.data;

export const limitAccount = ({ client }: TestAccount, spend_limit_per_hour: number | null) =>
  client.put<{ data: SpendLimit }>('/user/spend-limit', { spend_limit_per_hour });

export const keyInList = async ({ client }: TestAccount, id: number): Promise<ListedKey | undefined> =>
  (await client.get<{ api_keys: ListedKey[] }>('/user/api-keys')).body.api_keys.find((key) => key.id === id);

/** A message that costs `SMS_PRICE`. */
export const sendSms = (
  { phoneNumber }: TestAccount,
  client: Client,
  { to = DELIVERED, headers = {} as Record<string, string> } = {},
): Promise<Answer<Refusal>> =>
  client.post<Refusal>('/user/sms', { from: phoneNumber.id, to, body: 'Hello' }, headers);

export const ACCOUNT_LIMIT = 'The hourly spend limit of the account is reached.';
export const KEY_LIMIT = 'The hourly spend limit of this API key is reached.';

/** What an answer refuses; null: it is no refusal by a limit, or does not say when it ends. */
export function limitOf({ status, headers, body }: Answer<Refusal>): string | null {
  const { message, retry_after: seconds = 0 } = body;
  const isTold = headers.get('retry-after') === String(seconds) && seconds >= 1 && seconds <= 3600;
  return status === 429 && isTold ? message : null;
}

/** The counters, the alerts and the campaigns of the account as they are when an hour has passed. */
export async function passAnHour({ id }: TestAccount, db: Pool = database()): Promise<void> {
  for (const change of [
    `spend_counters SET hour = hour - interval '1 hour'`,
    `spend_alerts SET hour = hour - interval '1 hour'`,
    `campaigns SET wake_at = wake_at - interval '1 hour'`,
  ])
    await db.query(`UPDATE ${change} WHERE account_id = $1`, [id]);
}
