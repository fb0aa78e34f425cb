import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CallsRepository } from '#src/modules/calls/calls.repository.js';
import { TranscriptRepository } from '#src/modules/calls/wrap-up/transcript.repository.js';
import { anAccount, type TestAccount } from '../factories/account.js';
import { database, databaseUrl } from '../support/database.js';

const db = new DataSource({ type: 'postgres', url: databaseUrl() });
const calls = Object.create(CallsRepository.prototype, { calls: { value: db } }) as CallsRepository;
const transcript = new TranscriptRepository({} as never, {} as never, db, {} as never);
let user: TestAccount;

beforeAll(async () => {
  [user] = await Promise.all([anAccount(), db.initialize()]);
});
afterAll(() => db.destroy());

it('a session that opens late does not claim a conversation that was ended, with the words at its end', async () => {
  const { rows } = await database().query<{ id: number }>(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration)
     VALUES ($1, 1, 'Ada', 'outbound', 'in-progress', gen_random_uuid()::text, '+15005550021', '+15005550020', '{}', 0,
       600) RETURNING id`,
    [user.id],
  );
  const id = rows[0]?.id ?? 0;
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
