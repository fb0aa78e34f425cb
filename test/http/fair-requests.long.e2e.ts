import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { TestAccount } from '../factories/account.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, type TestLead } from '../factories/lead.js';
import { fillLeads, OwnService } from '../support/own-service.js';
import { until } from '../support/until.js';

const TOOL = { name: 'look_up', description: 'b', endpoint: 'https://example.com', method: 'GET' };
/** As decided: at once, and waiting. */
const [IN_FLIGHT, WAITING] = [20, 500];
const MANY_LEADS = 5_000;

describe('an account that overloads the service', () => {
  let own: OwnService;
  let loud: TestAccount;
  let quiet: TestAccount;
  let loudCampaign: number;
  let quietCampaign: number;

  const lockOf = ({ id }: TestAccount) =>
    own.holding('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [id]);

  /** Asks, takes the first bytes of the answer and then reads no more. */
  async function slowReader(path: string, { token }: TestAccount): Promise<Socket> {
    const socket = connect(Number(new URL(own.service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  beforeAll(async () => {
    own = await OwnService.start();
    [loud, quiet] = [await own.account(), await own.account()];
    [loudCampaign, quietCampaign] = [await aCampaign(loud), await aCampaign(quiet)];
    await fillLeads(own.db, loud, loudCampaign, MANY_LEADS);
    await aLead(quiet, quietCampaign);
  });

  afterAll(() => own.stop());

  it('leaves connections to other accounts when 60 of its requests wait for one lock', async () => {
    const lock = await lockOf(loud);
    const asked = Array.from({ length: 60 }, () => loud.client.post('/user/tools', TOOL));
    try {
      await until(async () => (await own.waitingForLocks()) >= 6);
      for (let turn = 0; turn < 20; turn++) {
        expect((await quiet.client.get('/user/me')).status).toBe(200);
        expect((await quiet.client.get('/user/leads')).body).toHaveLength(1);
      }
    } finally {
      await lock.release();
    }
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).not.toContain(500);
  });

  it('does not block the lists of other accounts with endless requests for its own', async () => {
    const readers = await Promise.all(Array.from({ length: 8 }, () => slowReader('/api/user/leads', loud)));
    try {
      expect((await quiet.client.get('/user/leads')).body).toHaveLength(1);
      expect((await loud.client.get<TestLead[]>('/user/leads')).body).toHaveLength(MANY_LEADS);
      const held = await own.db.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'calls-streams'
              AND state <> 'idle'`,
      );
      expect(held.rowCount).toBe(0);
    } finally {
      for (const reader of readers) reader.destroy();
    }
  });

  it('returns every lead once, newest first, from a list of several batches', async () => {
    const { body } = await loud.client.get<TestLead[]>('/user/leads');
    const { rows } = await own.db.query<{ id: number }>(
      'SELECT id FROM leads WHERE account_id = $1 ORDER BY created_at DESC, id DESC',
      [loud.id],
    );
    expect(body.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('gets 429 for requests beyond the queue, and its slots are released when its clients disconnect', async () => {
    const lock = await lockOf(loud);
    const gone = new AbortController();
    const headers = { Authorization: `Bearer ${loud.token}`, 'Content-Type': 'application/json' };
    const refused: unknown[] = [];
    // Again and again: on a slow machine the first ones have given up before the last ones come.
    const asked = Array.from({ length: IN_FLIGHT + WAITING + 10 }, async () => {
      while (!gone.signal.aborted) {
        const answer = await fetch(`${own.service.url}/api/user/tools`, {
          method: 'POST',
          headers,
          body: JSON.stringify(TOOL),
          signal: gone.signal,
        });
        const body: unknown = await answer.json();
        if (answer.status === 429) refused.push([body, answer.headers.get('retry-after')]);
      }
    });
    try {
      await until(async () => refused.length >= 10);
      expect(refused[0]).toEqual([
        { message: 'Too many requests. Please try again later.', retry_after: 10 },
        '10',
      ]);
      expect((await quiet.client.get('/user/me')).status).toBe(200);
    } finally {
      gone.abort();
      await lock.release();
    }
    await Promise.allSettled(asked);
    const again = Array.from({ length: IN_FLIGHT }, () => loud.client.get('/user/me'));
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
  });

  it(
    // After a kill too: campaign-removal.long.e2e.ts.
    'deletes a campaign with a locked lead immediately, and removes its rows later',
    async () => {
      const { client } = loud;
      const kept = await aLead(loud, await aCampaign(loud));
      const { rows } = await own.db.query<{ id: number }>(
        'SELECT max(id) AS id FROM leads WHERE campaign_id = $1',
        [loudCampaign],
      );
      const lead = rows[0]?.id ?? 0;
      const left = async (): Promise<number> => {
        const counted = await own.db.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM leads WHERE campaign_id = $1',
          [loudCampaign],
        );
        return counted.rows[0]?.n ?? 0;
      };
      const lock = await own.holding('SELECT 1 FROM leads WHERE id = $1 FOR UPDATE', [lead]);
      try {
        expect((await client.delete(`/user/campaigns/${loudCampaign}`)).status).toBe(200);
        expect((await client.get<TestLead[]>('/user/leads')).body.map(({ id }) => id)).toEqual([kept.id]);
        expect((await client.get<{ total: number }>('/user/leads?page=1')).body.total).toBe(1);
        expect((await client.get(`/user/leads?campaign_id=${loudCampaign}`)).body).toEqual([]);
        const answers = await Promise.all([
          client.get(`/user/leads/${lead}`),
          client.put(`/user/leads/${lead}`, { variables: { a: 1 } }),
          client.put(`/user/leads/${lead}`, { phone_number: '+12135550100' }),
          client.delete(`/user/leads/${lead}`),
          client.get('/user/leads/2147483647'),
        ]);
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
          new Set(['404 {"message":"Lead not found"}']),
        );
        await until(async () => (await left()) === 1);
      } finally {
        await lock.release();
      }
      await until(async () => (await left()) === 0);
      expect((await client.get<TestLead[]>('/user/leads')).body.map(({ id }) => id)).toEqual([kept.id]);
    },
  );
});
