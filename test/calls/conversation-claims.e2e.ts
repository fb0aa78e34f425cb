import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CallsRepository } from '#src/modules/calls/calls.repository.js';
import { TranscriptRepository } from '#src/modules/calls/wrap-up/transcript.repository.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database, databaseUrl } from '../support/database.js';
import { until } from '../support/until.js';

const db = new DataSource({ type: 'postgres', url: databaseUrl() });
const calls = Object.create(CallsRepository.prototype, { calls: { value: db } }) as CallsRepository;
const transcript = new TranscriptRepository({} as never, {} as never, db, {} as never);
let user: TestAccount;

beforeAll(async () => {
  [user] = await Promise.all([anAccount(), db.initialize()]);
});
afterAll(() => db.destroy());

async function aRunningCall(): Promise<number> {
  const { rows } = await database().query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration)
     VALUES ($1, 1, 'Ada', 'outbound', 'in-progress', gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0,
       600) RETURNING id`,
    [user.id],
  );
  return rows[0]?.id ?? 0;
}

it('a session that opens late does not claim a conversation that was ended, with the words at its end', async () => {
  const id = await aRunningCall();
  expect(await calls.claimConversation(id)).toBe(1);
  await database().query(
    `UPDATE calls SET ended_by = 'system', ended_reason = 'connection_lost' WHERE id = $1`,
    [id],
  );
  const claimed = transcript.openClaimedTranscript(id, await calls.claimTranscript(id));
  const turn = { seq: 1, role: 'assistant', kind: 'speech', text: 'Goodbye.', interrupted: false } as const;
  const saved = claimed.saveTurn({ ...turn, timings: {} });
  expect(await calls.claimConversation(id)).toBeNull();
  await saved;
  const { rows: turns } = await database().query('SELECT text FROM call_turns WHERE call_id = $1', [id]);
  expect(turns).toEqual([{ text: 'Goodbye.' }]);
});

it('a tool run is not stored when the call is taken over while it is written', async () => {
  const id = await aRunningCall();
  const claimed = transcript.openClaimedTranscript(id, (await calls.claimConversation(id)) ?? 0);
  const other = await database().connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE calls SET conversation_claim = conversation_claim + 1 WHERE id = $1', [id]);
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let isStored = false;
    const run = { seq: 1, toolName: 'order_status', arguments: {}, answer: '', ok: true, error: null };
    const saved = claimed
      .saveToolRun({ ...run, statusCode: 200, durationMs: 1 })
      .finally(() => (isStored = true));
    await until(async () => {
      const { rowCount } = await database().query(
        'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
        [rows[0]?.pid],
      );
      return rowCount !== 0 || isStored;
    });
    await other.query('COMMIT');
    await saved;
  } finally {
    other.release();
  }
  const { rows: runs } = await database().query('SELECT FROM call_tool_runs WHERE call_id = $1', [id]);
  expect(runs).toEqual([]);
});
