import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Pool } from 'undici';
import { dataSourceOptions } from '#src/database/data-source-options.js';
import { EVENTS_CHANNEL } from '#src/events/domain-events.service.js';
import { CallEnded } from '#src/modules/calls/call-events.js';
import { claimMs } from '../dialer/claims.js';
import { assistantBody } from '../rest/bodies.js';
import { pageTimer } from '../rest/list-pages.js';
import { shoot } from '../support/load.js';
import { startService } from '../support/service.js';
import { median } from '../support/stats.js';
import type { Installation } from './fill-installation.js';

const REQUESTS = 100;
/** Calls with a simultaneous wrap-up. */
const ENDED = 100;
const TIMEOUT_MS = 60_000;
const POLL_MS = 5;

/** Each takes a measurement in ms. */
type Measures = Record<string, () => Promise<number>>;

/** Starts the service on the database. */
export async function measuresOf(
  installation: Installation,
): Promise<{ measures: Measures; stop(): Promise<void> }> {
  const { database, account } = installation;
  const service = await startService(database);
  const http = new Pool(service.url, { connections: 1 });
  const db = await new DataSource(dataSourceOptions(database.url, 'bench')).initialize();
  const measures = { ...(await lists(installation, http)), ...(await one(installation, http)) };
  measures['claim of 25 leads'] = () => claimMs(db, account.id * 10 + 1);
  measures[`wrap-up of ${ENDED} calls`] = () => wrapUp(installation);
  return {
    measures,
    stop: async () => {
      await db.destroy();
      await http.close();
      await service.stop();
    },
  };
}

async function lists({ database, account }: Installation, http: Pool): Promise<Measures> {
  const { rows } = await database.pool.query<{ number: string }>(
    'SELECT client_phone_number AS number FROM calls WHERE account_id = $1 ORDER BY id LIMIT 1',
    [account.id],
  );
  const campaign = { campaign_id: String(account.id * 10 + 1) };
  const [first, middle, last] = [() => 1, (pages: number) => Math.ceil(pages / 2), (pages: number) => pages];
  const list = (of: string, filter: Record<string, string>, place: (pages: number) => number) =>
    pageTimer(http, `/api/user/${of}`, account, filter, place);
  return {
    'list calls, page 1': await list('calls', {}, first),
    'list calls, middle page': await list('calls', {}, middle),
    'list calls, last page': await list('calls', {}, last),
    'list calls by status': await list('calls', { status: 'completed' }, first),
    'list calls by status, middle page': await list('calls', { status: 'completed' }, middle),
    'list calls by campaign': await list('calls', campaign, first),
    'list calls by campaign, middle page': await list('calls', campaign, middle),
    'list calls by phone number': await list('calls', { phone_number: rows[0]?.number ?? '' }, first),
    'list leads, page 1': await list('leads', {}, first),
    'list leads, middle page': await list('leads', {}, middle),
    'list leads by campaign and status': await list('leads', { ...campaign, status: 'blacklisted' }, first),
  };
}

async function one({ database, account }: Installation, http: Pool): Promise<Measures> {
  const { headers } = account;
  const body = JSON.stringify(assistantBody(0));
  const made = await shoot(http, { method: 'POST', path: '/api/user/assistant', headers, body });
  await database.pool.query('UPDATE campaigns SET assistant_id = $2 WHERE account_id = $1', [
    account.id,
    (JSON.parse(made) as { data: { id: number } }).data.id,
  ]);
  const { rows } = await database.pool.query<{ id: number }>(
    'SELECT id FROM calls WHERE account_id = $1 ORDER BY md5(id::text) LIMIT $2',
    [account.id, REQUESTS],
  );
  const asked = (paths: readonly string[]) => async (): Promise<number> => {
    const times: number[] = [];
    for (const path of paths) {
      const began = performance.now();
      await shoot(http, { method: 'GET', path, headers });
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const campaign = `/api/user/campaigns/${account.id * 10 + 1}`;
  return {
    'GET call': asked(rows.map(({ id }) => `/api/user/calls/${id}`)),
    'GET campaign': asked(Array.from({ length: REQUESTS }, () => campaign)),
  };
}

/** Time from the commit of the calls' ends to the last wrap-up. */
async function wrapUp({ database: { pool }, account }: Installation): Promise<number> {
  const { rows } = await pool.query<{ ids: number[] }>(
    `WITH ended AS (
       INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, answered_by, ended_by, ended_reason, duration, price_per_minute_micros,
         max_duration, wrap_up_state, wrap_up_due_at, answered_at, ended_at)
       SELECT $1, 1, 'Bench', 'outbound', 'ended', gen_random_uuid()::text, '+14155550100', '+15005550020', '{}', 'human',
              'customer', 'customer_hangup', 120, 10000, 600, 'pending', now(), now(), now()
         FROM generate_series(1, $2::int) RETURNING id),
     told AS (
       INSERT INTO domain_events (kind, payload)
       SELECT $3, jsonb_build_object('callId', id, 'accountId', $1, 'isAnswered', true) FROM ended)
     SELECT array_agg(id) AS ids, pg_notify($4, '') FROM ended`,
    [account.id, ENDED, CallEnded.name, EVENTS_CHANNEL],
  );
  const began = performance.now();
  for (;;) {
    const { rows: left } = await pool.query(
      `SELECT 1 FROM calls WHERE id = ANY($1) AND wrap_up_state = 'pending' LIMIT 1`,
      [rows[0]?.ids],
    );
    const taken = performance.now() - began;
    if (left.length === 0) return taken;
    if (taken > TIMEOUT_MS) throw new Error('the calls were not wrapped up in time');
    await sleep(POLL_MS);
  }
}
