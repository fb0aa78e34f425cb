import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { Client } from '../support/client.js';
import { EventStreamClient } from '../support/event-stream.js';
import { OwnService } from '../support/own-service.js';
import { startService, type ServiceProcess } from '../support/service.js';
import { until } from '../support/until.js';

let service: OwnService;
let second: ServiceProcess;
let dataDir: string;

beforeAll(async () => {
  service = await OwnService.start();
  dataDir = mkdtempSync(join(tmpdir(), 'calls-second-'));
  second = await startService({
    DATABASE_URL: service.url,
    DATA_DIR: dataDir,
    EMBEDDED_REDIS: 'false',
    ROLE: 'api',
  });
});

afterAll(async () => {
  await second.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A call that runs nowhere: its rows are all that there is. */
async function aRunningCall({ id, phoneNumber }: TestAccount): Promise<number> {
  const { rows } = await service.db.query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration)
     VALUES ($1, 1, 'Ada', 'outbound', 'in-progress', gen_random_uuid()::text, $2, '+15005550020', '{}', 0, 600)
     RETURNING id`,
    [id, phoneNumber.phone_number],
  );
  return rows[0]?.id ?? 0;
}

async function lastUse(tokenId: number): Promise<Date | null> {
  const { rows } = await service.db.query<{ last_used_at: Date | null }>(
    'SELECT last_used_at FROM access_tokens WHERE id = $1',
    [tokenId],
  );
  return rows[0]?.last_used_at ?? null;
}

const ADD_TURN = `INSERT INTO call_turns (call_id, seq, role, text) VALUES ($1, $2, 'customer', $3)`;

const watch = (url: string, { token }: TestAccount, lastEventId?: string) =>
  EventStreamClient.open(token, '/user/calls/events', {
    root: `${url}/api`,
    lastEventId,
  });

describe('two processes with readers of one account', () => {
  it('send every event once and in the same order, also those that are committed late', async () => {
    const user = await service.account();
    const calls = [await aRunningCall(user), await aRunningCall(user), await aRunningCall(user)];
    const readers = [
      await watch(service.service.url, user),
      await watch(second.url, user),
      await watch(second.url, user),
    ];
    const late = await service.db.connect();
    await late.query('BEGIN');
    await late.query(ADD_TURN, [calls[0], 1, 'late']);
    // While the first one waits, more than one batch of others is written and read.
    const COUNT = 60;
    for (let seq = 1; seq <= COUNT; seq += 1) {
      await Promise.all(calls.slice(1).map((id) => service.db.query(ADD_TURN, [id, seq, `turn ${seq}`])));
      if (seq === COUNT / 2)
        for (const reader of readers) await reader.when((events) => events.length > COUNT / 2);
    }
    await Promise.all(readers.map((reader) => reader.when((events) => events.length >= 3 + 2 * COUNT)));
    await late.query('COMMIT');
    late.release();
    const all = 3 + 2 * COUNT + 1;
    await Promise.all(readers.map((reader) => reader.when((events) => events.length >= all)));

    const [first, ...others] = readers.map(({ events }) => events);
    for (const events of others) expect(events).toEqual(first);
    const ids = first?.map(({ id }) => Number(id)) ?? [];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(first?.at(-1)?.data).toMatchObject({ call_id: calls[0], text: 'late' });
    for (const id of calls.slice(1)) {
      const turns = first?.filter(({ event, data }) => event === 'turn' && data.call_id === id);
      expect(turns?.map(({ data }) => data.seq)).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
    }
    for (const reader of readers) reader.close();
  });

  it('store the use of a key once a minute, and refuse a revoked key at once', async () => {
    const user = await service.account();
    const key = await anApiKey(user);
    const clients = [key.client, new Client(key.token, `${second.url}/api`)];
    const use = () => Promise.all(clients.map((client) => client.get('/user/me')));
    /** Waits until each process has stored the use of a key that it was given after all others. */
    const stored = async () => {
      for (const client of clients) {
        const { id, token } = await anApiKey(user);
        await client.withToken(token).get('/user/me');
        await until(() => lastUse(id));
      }
    };
    expect(await lastUse(key.id)).toBeNull();
    await use();
    const first = await until(() => lastUse(key.id));
    await use();
    await stored();
    expect(await lastUse(key.id)).toEqual(first);
    await service.db.query(`UPDATE access_tokens SET last_used_at = now() - interval '61 s' WHERE id = $1`, [
      key.id,
    ]);
    await use();
    await until(async () => Number(await lastUse(key.id)) > Number(first));

    const reader = await EventStreamClient.open(key.token, '/user/calls/events', {
      root: `${second.url}/api`,
    });
    expect((await user.client.delete(`/user/api-keys/${key.id}`)).status).toBe(200);
    for (const { status } of await use()) expect(status).toBe(401);
    await reader.end();
  });

  it('let a client continue at the other one; a process that stops ends its stream and stores the use of keys', async () => {
    const user = await service.account();
    const call = await aRunningCall(user);
    await service.db.query(ADD_TURN, [call, 1, 'Hello']);
    const reader = await watch(second.url, user);
    await reader.when((events) => events.length === 2);
    const { id, token } = await anApiKey(user);
    await new Client(token, `${second.url}/api`).get('/user/me');
    await second.stop();
    expect(await lastUse(id)).not.toBeNull();
    await reader.end();
    await service.db.query(`UPDATE call_turns SET text = 'Hel', interrupted = true WHERE call_id = $1`, [
      call,
    ]);
    await service.db.query('DELETE FROM call_turns WHERE call_id = $1', [call]);
    const next = await watch(service.service.url, user, reader.events.at(-1)?.id);
    await next.when((events) => events.length >= 2);
    expect(next.events.map(({ data }) => [data.seq, data.text, data.interrupted])).toEqual([
      [1, 'Hel', true],
      [1, '', true],
    ]);
    next.close();
  });
});

it('report the use of tools, without arguments that are too long', async () => {
  const user = await service.account();
  const call = await aRunningCall(user);
  await service.db.query(
    `INSERT INTO call_tool_runs (call_id, seq, tool_name, arguments, answer, ok, status_code, duration_ms, error)
     VALUES ($1, 1, 'find', '{"city": "a\\nb"}', 'not told', true, 200, 12, NULL),
            ($1, 2, 'find', jsonb_build_object('city', repeat('x', 10001)), 'not told', false, NULL, 9, 'timeout')`,
    [call],
  );
  const reader = await watch(service.service.url, user);
  const [, used, failed] = await reader.when((events) => events.length >= 3);
  expect(used).toMatchObject({
    event: 'tool',
    data: {
      call_id: call,
      seq: 1,
      name: 'find',
      arguments: { city: 'a\nb' },
      status: 'ok',
      status_code: 200,
      duration_ms: 12,
      error: null,
    },
  });
  expect(failed?.data).toMatchObject({
    arguments: null,
    status: 'failed',
    status_code: null,
    error: 'timeout',
  });
  expect(JSON.stringify(reader.events)).not.toContain('not told');
  reader.close();
});

it('delete events after an hour, and continue for clients whose last event is deleted', async () => {
  const user = await service.account();
  const call = await aRunningCall(user);
  const reader = await watch(service.service.url, user);
  const [gone] = await reader.when((events) => events.length === 1);
  reader.close();
  await service.db.query(`UPDATE live_events SET created_at = now() - interval '61 minutes'`);
  await service.db.query(ADD_TURN, [call, 1, 'Hello']);
  await service.restart();
  const next = await watch(service.service.url, user, gone?.id);
  await next.when((events) => events.length >= 1);
  expect(next.events.map(({ event }) => event)).toEqual(['turn']);
  // Those of other calls go too, in batches after the start.
  await until(async () => {
    const { rows } = await service.db.query(
      `SELECT FROM live_events WHERE created_at < now() - interval '60 minutes' LIMIT 1`,
    );
    return rows.length === 0;
  });
  const { rows } = await service.db.query('SELECT kind FROM live_events WHERE account_id = $1', [user.id]);
  expect(rows).toEqual([{ kind: 'turn' }]);
  next.close();
});
