import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead } from '../factories/lead.js';
import { database, databaseUrl } from '../support/database.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const CLOSED_LEADS = 1_000;
const WRAP_UPS = 400;
/** A call's wrap-up waits so long for a price that never comes. */
const ASKS_FOR_PRICE_MS = 4_000;
const DELIVERIES = 2_100;
/** What another account's work may wait for: on a busy machine, ten times what it has just taken alone. */
const patience = (aloneMs: number, leastMs = 4_000): number => Math.max(leastMs, 10 * aloneMs);
/** More than the events of an account that are dispatched at a time. */
const LOCKED_LEADS = 12;
/** Events of locked leads are given back in less than a second. */
const LOCKED_PATIENCE_MS = 2_500;

const random = (): string => randomBytes(12).toString('hex');
const always = {
  allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  allowed_hours_start_time: '00:00',
  allowed_hours_end_time: '23:59',
  timezone: 'UTC',
};

/** A weekday that is neither today nor tomorrow, whatever the zone. */
const farDay = (): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    .format(Date.now() + 3 * 86_400_000)
    .toLowerCase();

const start = ({ client }: TestAccount, campaign_id: number) =>
  client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });

async function query<T extends object>(sql: string, values: unknown[]): Promise<T[]> {
  return (await database().query<T>(sql, values)).rows;
}

/** Milliseconds until the answer is there. */
async function time(ask: () => Promise<boolean>): Promise<number> {
  const from = Date.now();
  await until(ask);
  return Date.now() - from;
}

/** Ended calls that wait for their wrap-up, the oldest for as many seconds as there are. */
async function callsToWrapUp(account: TestAccount, assistantId: number, count: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration, ended_at, ended_by, wrap_up_state,
       wrap_up_due_at)
     SELECT $1, $2, 'Ada', 'outbound', 'ended_by_customer', $3 || n, $4, '+15005550020', '{}', 0, 600, now(),
       'customer', 'pending', now() - make_interval(secs => $5::int - n / 1000.0)
       FROM generate_series(1, $5::int) n RETURNING id`,
    [account.id, assistantId, random(), account.phoneNumber.phone_number, count],
  );
  return rows.map(({ id }) => id);
}

const isDone = async (id: number): Promise<boolean> =>
  (await query(`SELECT 1 FROM calls WHERE id = $1 AND wrap_up_state = 'done'`, [id])).length === 1;

/** Deliveries that are due, the oldest for as many seconds as there are. */
async function deliveries(account: TestAccount, assistantId: number, url: string, count: number) {
  await query(
    `INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, assistant_id, url, receiver,
       body, due_at)
     SELECT $1::int, $2 || n, 'post-call', 'call.completed', $2 || n, $3, $4,
       $1::int || ' ' || split_part($4, '/', 3), '{}', now() - make_interval(secs => $5::int)
       FROM generate_series(1, $5::int) n`,
    [account.id, random(), assistantId, url, count],
  );
}

const aCampaignOfOneCall = (account: TestAccount) => aCampaign(account, { ...always, max_retries: 1 });

/** A campaign call that nobody answered, whose lead is not decided on yet. */
async function unansweredCall(account: TestAccount, campaign?: number) {
  const campaignId = campaign ?? (await aCampaignOfOneCall(account));
  const lead = await aLead(account, campaignId);
  await query(`UPDATE leads SET status = 'processing', attempts = 1 WHERE id = $1`, [lead.id]);
  const [call] = await query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, campaign_id, campaign_name, lead_id, type, status,
       token, assistant_phone_number, client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
     VALUES ($1, 1, 'Ada', $2, 'Spring offer', $3, 'outbound', 'busy', $4, '+14155550100', $5, '{}', 0, 600, now())
     RETURNING id`,
    [account.id, campaignId, lead.id, random(), lead.phone_number],
  );
  const callId = call?.id ?? 0;
  await query(
    `INSERT INTO call_attempts (account_id, call_id, campaign_id, lead_id, phone_number, state, slot_until)
     VALUES ($1, $2, $3, $4, $5, 'closed', now())`,
    [account.id, callId, campaignId, lead.id, lead.phone_number],
  );
  return {
    leadId: lead.id,
    tell: () =>
      query(
        `WITH event AS (INSERT INTO domain_events (kind, payload) VALUES ('call.unanswered', $1))
         SELECT pg_notify('domain_events', '')`,
        [{ callId, accountId: account.id }],
      ),
  };
}

const isDecided = async (leadId: number): Promise<boolean> =>
  (await query(`SELECT 1 FROM leads WHERE id = $1 AND status = 'reached-max-retries'`, [leadId])).length ===
  1;

describe('background work of one account beside that of another', () => {
  const receivers: Receiver[] = [];
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  it('dials a lead while campaigns full of leads outside their window are in progress', async () => {
    const busy = await anAccount();
    const assistant_id = await anAssistant(busy);
    const closed = { ...always, allowed_days: [farDay()], assistant_id };
    const campaigns = await Promise.all([1, 2, 3, 4].map(() => aCampaign(busy, closed)));
    for (const id of campaigns) {
      await query(
        `INSERT INTO leads (account_id, campaign_id, phone_number)
         SELECT $1, $2, '+1' || (2025550000 + n) FROM generate_series(1, $3::int) n`,
        [busy.id, id, CLOSED_LEADS],
      );
    }
    const quiet = await anAccount();
    const dial = async (phone_number: string): Promise<number> => {
      const campaignId = await aCampaign(quiet, always);
      const { id } = await aLead(quiet, campaignId, { phone_number });
      await start(quiet, campaignId);
      return time(async () => (await query('SELECT 1 FROM calls WHERE lead_id = $1', [id])).length > 0);
    };
    const alone = await dial('+15005550003');
    await Promise.all(campaigns.map((id) => start(busy, id)));
    await until(
      async () =>
        (await query('SELECT 1 FROM leads WHERE account_id = $1 AND zone IS NOT NULL LIMIT 1', [busy.id]))
          .length === 1,
    );
    expect(await dial('+15005556003')).toBeLessThan(patience(alone));
    await until(
      async () =>
        (
          await query(
            `SELECT 1 FROM campaigns WHERE account_id = $1 AND wake_at > now() + interval '1 day'`,
            [busy.id],
          )
        ).length === campaigns.length,
    );
    expect(await query('SELECT 1 FROM calls WHERE account_id = $1', [busy.id])).toEqual([]);
    await Promise.all(
      campaigns.map((id) =>
        busy.client.post('/user/campaigns/update-status', { campaign_id: id, action: 'stop' }),
      ),
    );
  });

  it('finishes the wrap-up of a call while another account has hundreds of older ones', async () => {
    const [busy, quiet] = [await anAccount(), await anAccount()];
    const assistantId = await anAssistant(quiet);
    const wrapUp = async (): Promise<number> => {
      const [id = 0] = await callsToWrapUp(quiet, assistantId, 1);
      return time(() => isDone(id));
    };
    const alone = await wrapUp();
    await callsToWrapUp(busy, await anAssistant(busy), WRAP_UPS);
    // The sandbox's carrier does not know the call: the price is asked for four times.
    expect(await wrapUp()).toBeLessThan(patience(alone - ASKS_FOR_PRICE_MS) + ASKS_FOR_PRICE_MS);
    await query(
      `UPDATE calls SET wrap_up_state = 'done' WHERE account_id = $1 AND wrap_up_state = 'pending'`,
      [busy.id],
    );
  });

  it('delivers a webhook while another account has thousands for receivers that hang', async () => {
    const [busy, quiet] = [await anAccount(), await anAccount()];
    const open = async (): Promise<Receiver> => {
      const receiver = await Receiver.open();
      receivers.push(receiver);
      return receiver;
    };
    const hook = { is_webhook_active: true };
    const hanging: Receiver[] = [];
    for (let hosts = 0; hosts < 3; hosts++) {
      const slow = await open();
      hanging.push(slow);
      slow.reply = () => ({ after: new Promise(() => undefined) });
      await deliveries(
        busy,
        await anAssistant(busy, { ...hook, webhook_url: slow.url }),
        slow.url,
        DELIVERIES / 3,
      );
    }
    await until(async () => receivers.some(({ received }) => received.length > 0));
    const fast = await open();
    const assistantId = await anAssistant(quiet, { ...hook, webhook_url: fast.url });
    await deliveries(quiet, assistantId, fast.url, 1);
    // One after the other they would take half an hour until it is the turn of this one.
    await fast.requests(1);
    const asked = hanging.reduce((sum, { received }) => sum + received.length, 0);
    expect(asked).toBeLessThan(DELIVERIES / 2);
    await query(`UPDATE webhook_deliveries SET state = 'cancelled' WHERE account_id = $1`, [busy.id]);
  });

  /** Locks leads while `work` runs. */
  async function whileLocked(leadIds: number[], work: () => Promise<void>): Promise<void> {
    const holder = new pg.Client({ connectionString: databaseUrl() });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM leads WHERE id = ANY($1) FOR UPDATE', [leadIds]);
      await work();
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
  }

  const decidedAlone = async (): Promise<number> => {
    const { leadId, tell } = await unansweredCall(await anAccount());
    await tell();
    return time(() => isDecided(leadId));
  };

  const isLockAwaited = async (): Promise<boolean> =>
    (
      await query(
        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%leads%'`,
        [],
      )
    ).length > 0;

  it('decides on a lead while a listener waits for the lock of another account’s lead', async () => {
    const alone = await decidedAlone();
    const held = await unansweredCall(await anAccount());
    const free = await unansweredCall(await anAccount());
    await whileLocked([held.leadId], async () => {
      await held.tell();
      await until(isLockAwaited);
      await free.tell();
      const waited = await time(() => isDecided(free.leadId));
      expect(waited).toBeLessThan(patience(alone));
      expect(await isDecided(held.leadId)).toBe(false);
    });
    await until(() => isDecided(held.leadId));
  });

  it('decides on a lead while many other leads of the same account are locked', async () => {
    const alone = await decidedAlone();
    const account = await anAccount();
    const campaign = await aCampaignOfOneCall(account);
    const held: Awaited<ReturnType<typeof unansweredCall>>[] = [];
    for (let count = 0; count < LOCKED_LEADS; count++) held.push(await unansweredCall(account, campaign));
    const others = [await unansweredCall(account, campaign), await unansweredCall(account)];
    const leadIds = held.map(({ leadId }) => leadId);
    await whileLocked(leadIds, async () => {
      await Promise.all(held.map(({ tell }) => tell()));
      await until(isLockAwaited);
      await Promise.all(others.map(({ tell }) => tell()));
      const waited = await time(async () =>
        (await Promise.all(others.map(({ leadId }) => isDecided(leadId)))).every(Boolean),
      );
      expect(waited).toBeLessThan(patience(alone, LOCKED_PATIENCE_MS));
      expect((await Promise.all(leadIds.map(isDecided))).some(Boolean)).toBe(false);
    });
    await until(async () => (await Promise.all(leadIds.map(isDecided))).every(Boolean));
  });
});
