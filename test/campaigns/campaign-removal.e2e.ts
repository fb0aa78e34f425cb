import pg from 'pg';
import { describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { database, databaseUrl } from '../support/database.js';
import { until } from '../support/until.js';

describe('deleting a campaign with many leads', () => {
  it('hides them at once and removes them in batches, without the lock of the account', async () => {
    const user = await anAccount();
    const id = await aCampaign(user);
    await database().query(
      `INSERT INTO leads (account_id, campaign_id, phone_number)
       SELECT $1, $2, '+1212555' || lpad(n::text, 4, '0') FROM generate_series(1, 3000) n`,
      [user.id, id],
    );
    const left = async (): Promise<number> =>
      (
        await database().query<{ n: number }>('SELECT count(*)::int AS n FROM leads WHERE campaign_id = $1', [
          id,
        ])
      ).rows[0]?.n ?? -1;
    const [account, lead] = [new pg.Client(databaseUrl()), new pg.Client(databaseUrl())];
    await Promise.all([account.connect(), lead.connect()]);
    try {
      // The removal cannot end before the lock of the account is held.
      await lead.query('BEGIN');
      await lead.query('SELECT id FROM leads WHERE campaign_id = $1 ORDER BY id LIMIT 1 FOR UPDATE', [id]);
      expect((await user.client.delete(`/user/campaigns/${id}`)).status).toBe(200);
      expect((await user.client.get(`/user/leads?campaign_id=${id}`)).body).toEqual([]);
      await until(async () => (await left()) === 1);
      await account.query('BEGIN');
      await account.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [user.id]);
      await lead.query('ROLLBACK');
      await until(async () => (await left()) === 0);
    } finally {
      await Promise.all([account.end(), lead.end()]);
    }
  });
});
