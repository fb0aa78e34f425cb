import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, aSilentNumber, callWhen } from '../factories/call.js';
import { plant } from '../factories/call-statistics.js';
import { database } from '../support/database.js';
import type { ErasureJob } from '../support/erasure-bench.js';
import { until } from '../support/until.js';

/** Of planted calls. */
const PLANTED = '+15005550020';
let user: TestAccount;
const triggers: string[] = [];

beforeEach(async () => {
  user = await anAccount();
});
afterAll(async () => {
  for (const name of triggers) await database().query(`DROP FUNCTION ${name} CASCADE`);
});

const made = async (phone_number: string, fields: object = {}, kind = 'erasures'): Promise<number> => {
  const { status, text, body } = await user.client.post<{ data: ErasureJob }>(`/user/${kind}`, {
    phone_number,
    ...fields,
  });
  if (status !== 201) throw new Error(text);
  return body.data.id;
};
const jobOf = async (id: number, kind = 'erasures'): Promise<ErasureJob> =>
  (await user.client.get<{ data: ErasureJob }>(`/user/${kind}/${id}`)).body.data;
const whenOver = (id: number, kind?: string): Promise<ErasureJob> =>
  until(async () => {
    const job = await jobOf(id, kind);
    return ['done', 'failed'].includes(job.status) ? job : null;
  });

/** Changes jobs of the account while they are written. */
async function whileWritten(event: string, change: string): Promise<void> {
  const name = `change_jobs_of_${user.id}`;
  triggers.push(name);
  await database().query(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change}; RETURN NEW; END $$;
    CREATE TRIGGER ${name} BEFORE ${event} ON personal_data_jobs FOR EACH ROW
      WHEN (NEW.account_id = ${user.id})
      EXECUTE FUNCTION ${name}()`);
}

/** A call that is not wrapped up. */
async function aStuckCall(): Promise<number> {
  const id = await plant(user, { at: new Date().toISOString() });
  await database().query(
    `UPDATE calls SET status = 'ended', wrap_up_state = 'pending', wrap_up_due_at = now() + interval '1 day'
      WHERE id = $1`,
    [id],
  );
  return id;
}

describe('an erasure', () => {
  it('that was made days ago waits for a running call as long as a new one', async () => {
    await whileWritten('INSERT', `NEW.created_at := now() - interval '3 days'`);
    const phoneNumber = aSilentNumber(72);
    const callId = await aCall(user, await anAssistant(user), { phoneNumber });
    await callWhen(user, callId, ({ status }) => status === 'in-progress');
    const job = await whenOver(await made(phoneNumber));
    expect(job).toMatchObject({ status: 'done', error: null, counts: { calls: 1 } });
  });

  it('that waited for a day fails; the number stays suppressed if that was wanted', async () => {
    const callId = await aStuckCall();
    const id = await made(PLANTED, { keep_suppressed: true });
    await until(async () => (await jobOf(id)).waits_for === 'calls');
    await until(async () => {
      await database().query(
        `UPDATE personal_data_jobs SET waits_since = now() - interval '25 hours'
          WHERE id = $1 AND waits_since IS NOT NULL`,
        [id],
      );
      return (await jobOf(id)).status === 'failed';
    });
    expect((await jobOf(id)).error).toBe('These did not end within a day: calls.');
    const { body } = await user.client.get<{ phone_number: string }[]>('/user/suppressions');
    expect(body).toMatchObject([{ phone_number: 'erased' }]);
    const call = { assistant_id: await anAssistant(user), phone_number: PLANTED };
    expect((await user.client.post('/user/make_call', call)).body).toMatchObject({
      message: 'The phone number is on the suppression list.',
    });
    await database().query(`UPDATE calls SET status = 'completed', wrap_up_state = 'done' WHERE id = $1`, [
      callId,
    ]);
    expect(await whenOver(await made(PLANTED))).toMatchObject({ status: 'done', counts: { calls: 1 } });
  });
});

it.each(['erasures', 'exports'])('%s whose number cannot be decrypted fail, and say why', async (kind) => {
  await whileWritten(
    'UPDATE OF phone_number',
    `NEW.phone_number := left(NEW.phone_number, -8) || 'AAAAAAAA'`,
  );
  const job = await whenOver(await made(PLANTED, {}, kind), kind);
  expect(job).toMatchObject({
    status: 'failed',
    error: 'The phone number of the job could not be decrypted.',
  });
  const { body } = await user.client.get('/user/suppressions');
  expect(body).toEqual([]);
});
