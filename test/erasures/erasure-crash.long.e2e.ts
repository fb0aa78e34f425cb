import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { aPerson, ErasureBench } from '../support/erasure-bench.js';
import { until } from '../support/until.js';

/** Any number: the key of the lock that the trigger waits for. */
const LOCK = 816;
/** The statements before which the process is killed, in the order in which they come. */
const STEPS: readonly [table: string, statement: string, condition?: string][] = [
  ['webhook_deliveries', 'DELETE'],
  ['calls', 'UPDATE', 'NEW.erased_at IS NOT NULL'],
  ['chats', 'UPDATE', 'NEW.external_identifier IS NULL'],
  ['sms_messages', 'UPDATE', `NEW.body = ''`],
  ['leads', 'DELETE'],
  ['suppressions', 'DELETE', 'OLD.phone_number IS NOT NULL'],
  ['personal_data_jobs', 'UPDATE', `NEW.status = 'done'`],
];

let bench: ErasureBench;
let holder: pg.Client;

beforeAll(async () => {
  bench = await ErasureBench.start();
  holder = new pg.Client({ connectionString: bench.carrier.postgresUrl });
  await holder.connect();
  await holder.query(`CREATE FUNCTION hold_step() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN coalesce(NEW, OLD); END $$`);
});
afterAll(async () => {
  await holder.end();
  await bench.stop();
});

async function hold([table, statement, condition = 'true']: (typeof STEPS)[number]): Promise<void> {
  await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
  await holder.query(`CREATE TRIGGER hold_step BEFORE ${statement} ON ${table} FOR EACH ROW
    WHEN (${condition}) EXECUTE FUNCTION hold_step()`);
}

async function release([table]: (typeof STEPS)[number]): Promise<void> {
  await holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
  await holder.query(`DROP TRIGGER hold_step ON ${table}`);
}

const isHeld = async (): Promise<boolean> => {
  const { rows } = await holder.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = ${LOCK}
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.length > 0;
};

it('goes on after a kill before each of its steps, and counts everything once', async () => {
  const person = aPerson('Thistlewood');
  const traces = [person.number.slice(1), person.word];
  await bench.meet(person);
  const count = (sql: string): Promise<number> =>
    bench.count(`SELECT count(*)::int AS n FROM ${sql}`, person.number);
  const before = {
    calls: await count('calls WHERE client_phone_number = $1'),
    turns: await count('call_turns JOIN calls ON calls.id = call_id WHERE client_phone_number = $1'),
    deliveries: await count(
      'webhook_deliveries JOIN calls ON calls.id = call_id WHERE client_phone_number = $1',
    ),
    conversations: await count('chats WHERE external_identifier = $1'),
    messages: await count('sms_messages WHERE to_number = $1'),
    leads: await count('leads WHERE phone_number = $1'),
    suppressions: await count('suppressions WHERE phone_number = $1'),
  };
  const [first] = STEPS;
  if (!first) throw new Error('there are no steps');
  await hold(first);
  const { body } = await bench.erase(person.number);
  for (const [n, step] of STEPS.entries()) {
    // A statement that waited for too long is tried again.
    await until(isHeld);
    const next = STEPS[n + 1];
    await bench.carrier.restart('kill', {}, async () => {
      await release(step);
      if (next) await hold(next);
      // Not at the end of the lease of the killed process.
      await holder.query('UPDATE personal_data_jobs SET due_at = now() WHERE due_at IS NOT NULL');
    });
  }
  const job = await bench.erased(body.data.id);
  expect(job).toMatchObject({ status: 'done', error: null, counts: before });
  expect(await bench.placesWith(traces)).toEqual([]);
});
