import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { runCommand } from '../support/command.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Envelope {
  data: { id: number }[];
  total: number;
  last_page: number;
}
type Filter = Partial<
  Record<'status' | 'campaign_id' | 'date_from' | 'date_to' | 'timezone' | 'phone_number', string>
>;

/** Pages from about this lead on are found by the counters of each day. */
const DEEP = 500;
const SIZES = [7, 100];
const STATUSES = ['created', 'completed', 'reached-max-retries'];
/** SQL of each filter's condition on leads. */
const CONDITIONS: Record<keyof Filter, string> = {
  status: 'status = ?',
  campaign_id: 'campaign_id = ?::int',
  date_from: `created_at >= ?::date::timestamp AT TIME ZONE zones.zone`,
  date_to: `created_at < (?::date + 1)::timestamp AT TIME ZONE zones.zone`,
  timezone: `? = zones.zone`,
  phone_number: `phone_number LIKE '%' || ? || '%'`,
};

describe('pages of leads', () => {
  let mine: TestAccount;
  let spring: number;
  let summer: number;
  let filters: Filter[];

  /** Ids of the leads that the list has, newest first, by a plain query. */
  const truth = async (filter: Filter): Promise<number[]> => {
    const values: unknown[] = [mine.id];
    const conditions = Object.entries(filter).map(
      ([name, value]) =>
        ` AND ${CONDITIONS[name as keyof Filter].replace('?', `$${values.push(value)}::text`)}`,
    );
    const { rows } = await database().query<{ id: number }>(
      `SELECT id FROM leads, (SELECT '${filter.timezone ?? 'UTC'}' AS zone) zones WHERE account_id = $1 AND main_lead_id IS NULL ${conditions.join('')}
          AND campaign_id IN (SELECT id FROM campaigns WHERE deleted_at IS NULL)
        ORDER BY leads.created_at DESC, id DESC`,
      values,
    );
    return rows.map(({ id }) => id);
  };
  const read = async (filter: Filter, page: number, size: number): Promise<Envelope> => {
    const query = new URLSearchParams({ ...filter, page: String(page), per_page: String(size) });
    return (await mine.client.get<Envelope>(`/user/leads?${query}`)).body;
  };
  /** Pages from the first to one behind the last. */
  const isRight = async (filter: Filter): Promise<void> => {
    const ids = await truth(filter);
    for (const size of SIZES) {
      const last = Math.max(1, Math.ceil(ids.length / size));
      const pages = Array.from({ length: last + 1 }, (_, index) => index + 1);
      // Of small pages only those about the place from which days are counted, and the last ones.
      const isRead = (page: number) => size > 50 || Math.abs(page * size - DEEP) < 50 || page > last - 3;
      for (const page of pages.filter(isRead)) {
        const { data, total, last_page } = await read(filter, page, size);
        expect([filter, page, total, last_page, data.map(({ id }) => id)]).toEqual([
          filter,
          page,
          ids.length,
          last,
          ids.slice((page - 1) * size, page * size),
        ]);
      }
    }
  };
  const allAreRight = async (): Promise<void> => {
    for (const filter of filters) await isRight(filter);
    for (const id of [spring, summer])
      expect(await runCommand(['campaigns', 'verify', '--id', String(id)])).toMatchObject({ code: 0 });
  };
  /** Some at the same microsecond, at both ends of their day, every third with a contact. */
  const insert = (campaign: number, day: string, count: number) =>
    database().query(
      `WITH main AS (
         INSERT INTO leads (account_id, campaign_id, phone_number, status, created_at)
         SELECT $1, $2, '+1' || (3020000000 + $5::int + n), ($6::text[])[1 + n % 3],
                ($3 || ' ' || (ARRAY['00:00:00', '23:59:59.999999', '12:30:00'])[1 + n % 3])::timestamp AT TIME ZONE 'UTC'
           FROM generate_series(1, $4::int) n RETURNING *)
       INSERT INTO leads (account_id, campaign_id, main_lead_id, phone_number)
       SELECT account_id, campaign_id, id, '+13039990000' FROM main WHERE id % 3 = 0`,
      [mine.id, campaign, day, count, (numbers += count) - count, STATUSES],
    );
  let numbers = 0;

  beforeAll(async () => {
    mine = await anAccount();
    [spring, summer] = [await aCampaign(mine), await aCampaign(mine)];
    for (const [day, count] of [1, 40, 0, 13, 700, 5, 260].entries()) {
      await insert(day % 2 === 0 ? spring : summer, `2026-03-0${day + 1}`, count);
      await insert(summer, `2026-03-0${day + 1}`, 9);
    }
    filters = [
      {},
      { status: 'completed' },
      { campaign_id: String(spring) },
      { campaign_id: String(summer) },
      { campaign_id: String(spring), status: 'created' },
      { date_from: '2026-03-04' },
      { date_to: '2026-03-05', status: 'created' },
      { date_from: '2026-03-05', date_to: '2026-03-05', campaign_id: String(spring) },
      { date_from: '2026-03-05', timezone: 'Asia/Kolkata' },
      { date_to: '2026-03-06', timezone: 'America/New_York', status: 'created' },
      { date_from: '2026-03-04', date_to: '2026-03-05', timezone: 'America/New_York' },
      { date_from: '2026-03-05', date_to: '2026-03-05', timezone: 'Asia/Kolkata' },
      { phone_number: '0001' },
      { status: 'processing' },
    ];
  });

  it('are slices of the list, of any filter', allAreRight);

  it('follow leads that are created, called, moved and deleted', async () => {
    const made = [];
    for (let index = 0; index < 6; index++) {
      const contacts = index < 3 ? { secondary_contacts: [{ phone_number: aNumber() }] } : {};
      made.push(await aLead(mine, index % 2 === 0 ? spring : summer, contacts));
    }
    const [first, second, third] = made.map(({ id }) => id);
    const answers = [
      await mine.client.put(`/user/leads/${first}`, { campaign_id: summer, status: 'completed' }),
      await mine.client.put(`/user/leads/${second}`, { status: 'reached-max-retries' }),
      await mine.client.delete(`/user/leads/${third}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // By statements over many days, campaigns and contacts.
    for (const sql of [
      `UPDATE leads SET status = 'blacklisted' WHERE account_id = $1 AND id % 5 = 0`,
      `UPDATE leads SET status = 'processing', attempts = 1 WHERE account_id = $1 AND id % 7 = 0`,
      `UPDATE leads SET created_at = created_at - interval '1 day' WHERE account_id = $1 AND id % 11 = 0`,
      'DELETE FROM leads WHERE account_id = $1 AND id % 13 = 0',
    ])
      await database().query(sql, [mine.id]);
    // A connection of another time zone.
    const client = await database().connect();
    try {
      await client.query(`SET timezone = 'Pacific/Auckland'`);
      await client.query(`UPDATE leads SET status = 'completed' WHERE account_id = $1 AND id % 17 = 0`, [
        mine.id,
      ]);
    } finally {
      await client.query('RESET timezone');
      client.release();
    }
    await allAreRight();
  });

  it('agree with their total while leads arrive and are called', async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await insert(spring, '2026-03-05', 3);
        await database().query(
          `UPDATE leads SET status = 'rescheduled' WHERE id IN (
             SELECT id FROM leads WHERE account_id = $1 AND status = 'created' ORDER BY id DESC LIMIT 2)`,
          [mine.id],
        );
      }
    })();
    try {
      for (let page = 1; page < 40; page++) {
        const size = 4 + (page % 11);
        const { data, total } = await read({ status: 'created' }, page, size);
        const ids = data.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBe(Math.min(size, Math.max(0, total - (page - 1) * size)));
      }
    } finally {
      isOver = true;
      await writing;
    }
    await isRight({});
  });

  it('have nothing of a deleted campaign, from its deletion to the removal of its last lead', async () => {
    expect((await mine.client.delete(`/user/campaigns/${spring}`)).status).toBe(200);
    const removed = async () => {
      await isRight({});
      await isRight({ campaign_id: String(spring) });
      const { rows } = await database().query(
        'SELECT 1 FROM campaigns WHERE id = $1 AND leads_removed_at IS NOT NULL',
        [spring],
      );
      return rows.length > 0;
    };
    await until(removed);
    await allAreRight();
  });
});
