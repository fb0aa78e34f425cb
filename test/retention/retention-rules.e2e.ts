import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { plant } from '../factories/call-statistics.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { database } from '../support/database.js';
import { endedDaysAgo, keeps, manyCalls, RetentionPass } from '../support/retention.js';
import { until } from '../support/until.js';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
/** Two full batches and a part of one. */
const MANY = 450;
const BATCH = 200;

let pass: RetentionPass;
let user: TestAccount;

const countOf = async (condition: string): Promise<number> => {
  const { rows } = await database().query<{ n: number }>(
    `SELECT count(*)::int AS n FROM calls WHERE account_id = $1 AND ${condition}`,
    [user.id],
  );
  return rows[0]?.n ?? 0;
};
const removed = () => countOf('transcript_deleted_at IS NOT NULL');
const numberOf = async (id: number): Promise<string[]> => {
  const { rows } = await database().query<{ call: string; attempt: string | null }>(
    `SELECT client_phone_number AS call, phone_number AS attempt FROM calls
       LEFT JOIN call_attempts ON call_id = calls.id WHERE calls.id = $1`,
    [id],
  );
  return [rows[0]?.call ?? '', rows[0]?.attempt ?? ''];
};

beforeEach(async () => {
  pass = await RetentionPass.open();
  user = await anAccount();
});
afterEach(() => pass.close());

describe('a pass', () => {
  it('goes on where another one was stopped', async () => {
    const assistant = await anAssistant(user);
    await manyCalls(user, assistant, MANY, 10);
    await manyCalls(user, assistant, 1, 3);
    await keeps(user, { transcripts_days: 5 });
    const work = pass.registry.find('transcripts');
    const stop = new AbortController();
    pass.registry.register('transcripts', async (tx, scope) => {
      if (scope.accountId === user.id) stop.abort();
      return (await work?.(tx, scope)) ?? 0;
    });
    await pass.run([user], stop.signal);
    expect(await removed()).toBe(BATCH);
    await pass.run([user]);
    expect(await removed()).toBe(MANY);
    expect(await countOf(`transcript <> ''`)).toBe(1);
    const { rows } = await database().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM call_turns JOIN calls ON calls.id = call_id WHERE account_id = $1 AND text <> ''`,
      [user.id],
    );
    expect(rows[0]?.n).toBe(1);
  });

  it('reads statistics when nothing else is left, not after each batch', async () => {
    await manyCalls(user, await anAssistant(user), MANY, 10);
    await keeps(user, { variables_days: 5 });
    const work = pass.registry.find('statistics');
    const left: number[] = [];
    pass.registry.register('statistics', async (tx, scope) => {
      left.push(await countOf('variables_deleted_at IS NULL'));
      return (await work?.(tx, scope)) ?? 0;
    });
    await pass.run([user]);
    expect(left).toEqual([0]);
  });

  it('leaves a batch whole when it dies in it', async () => {
    await manyCalls(user, await anAssistant(user), 3, 10);
    await keeps(user, { transcripts_days: 5 });
    const work = pass.registry.find('transcripts');
    pass.registry.register('transcripts', async (tx, scope) => {
      const count = (await work?.(tx, scope)) ?? 0;
      if (scope.accountId === user.id) throw new Error('killed');
      return count;
    });
    await expect(pass.run([user])).rejects.toThrow('killed');
    expect(await countOf(`transcript = ''`)).toBe(0);
  });

  it('beside another one removes each call once', async () => {
    await manyCalls(user, await anAssistant(user), MANY, 10);
    await keeps(user, { transcripts_days: 5 });
    const second = await RetentionPass.open();
    try {
      await Promise.all([pass.run([user]), second.run([user])]);
      await pass.run([user]);
      expect(await removed()).toBe(MANY);
    } finally {
      await second.close();
    }
  });

  it('touches no running call, no call that is not wrapped up and no pending delivery', async () => {
    const assistant = await anAssistant(user);
    await manyCalls(user, assistant, 2, 10);
    const { rows } = await database().query<{ id: number }>(
      'SELECT id FROM calls WHERE account_id = $1 ORDER BY id',
      [user.id],
    );
    const [running, pending] = rows.map(({ id }) => id);
    await database().query(`UPDATE calls SET ended_at = NULL, status = 'in-progress' WHERE id = $1`, [
      running,
    ]);
    await database().query(
      `UPDATE calls SET wrap_up_state = 'pending', wrap_up_due_at = now() + interval '1 day' WHERE id = $1`,
      [pending],
    );
    await database().query(
      `INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, assistant_id, url, receiver,
         body, state, due_at, created_at)
       SELECT $1::int, 'old:' || gen_random_uuid(), 'post-call', 'call.completed', 'msg_' || gen_random_uuid(), $2::int,
              'https://example.com/', 'nobody', '{}', state, now() + interval '1 day', now() - interval '20 days'
         FROM unnest(ARRAY['pending', 'dead', 'delivered', 'cancelled']) AS state`,
      [user.id, assistant],
    );
    await keeps(user, { transcripts_days: 5, variables_days: 5, deliveries_days: 5 });
    await pass.run([user]);
    expect([await removed(), await countOf('variables_deleted_at IS NOT NULL')]).toEqual([0, 0]);
    const left = await database().query('SELECT state FROM webhook_deliveries WHERE account_id = $1', [
      user.id,
    ]);
    expect(left.rows).toEqual([{ state: 'pending' }]);
    await database().query(`DELETE FROM webhook_deliveries WHERE account_id = $1`, [user.id]);
    await database().query(
      `UPDATE calls SET wrap_up_state = 'done', status = 'completed', ended_at = now() WHERE account_id = $1`,
      [user.id],
    );
  });
});

describe('an assistant', () => {
  it('keeps less than its account, and never more', async () => {
    const ids = await Promise.all([
      anAssistant(user, { retention: { transcripts_days: 10 } }),
      anAssistant(user, { retention: { transcripts_days: 3650 } }),
      anAssistant(user),
    ]);
    for (const id of ids) for (const days of [15, 25, 35]) await manyCalls(user, id, 1, days);
    await keeps(user, { transcripts_days: 30 });
    await pass.run([user]);
    const left = await Promise.all(
      ids.map((id) => countOf(`assistant_id = ${id} AND transcript_deleted_at IS NULL`)),
    );
    expect(left).toEqual([0, 2, 2]);
  });

  it('has a rule of its own where the account has none, also when it is deleted', async () => {
    const ruled = await anAssistant(user, { retention: { transcripts_days: 10 } });
    const free = await anAssistant(user);
    await manyCalls(user, ruled, 1, 15);
    await manyCalls(user, free, 1, 15);
    await user.client.delete(`/user/assistant/${ruled}`);
    await pass.run([user]);
    expect(await removed()).toBe(1);
    expect(await countOf(`assistant_id = ${free} AND transcript = ''`)).toBe(0);
  });
});

describe('a question that no document answered', () => {
  it('is kept no longer than the transcripts of the assistant that was asked', async () => {
    const base = await aKnowledgeBase(user, { Hours: 'The shop opens at nine.' });
    const listed = async () =>
      (
        await user.client.get<{ data: { question: string; times_asked: number }[] }>(
          `/user/knowledgebases/${base}/unanswered`,
        )
      ).body.data.map(({ question, times_asked }) => [question, times_asked]);
    const question = 'Which elephants do zebras recommend?';
    const fields = { calls_direction: 'receive', knowledgebase_id: base };
    const ruled = await anAssistant(user, { ...fields, retention: { transcripts_days: 10 } });
    for (const [n, assistant_id] of [ruled, await anAssistant(user, fields)].entries()) {
      await user.client.post('/user/ai/generate-reply', {
        assistant_id,
        customer_identifier: 'Ada',
        message: question,
      });
      await until(async () => JSON.stringify(await listed()) === JSON.stringify([[question, n + 1]]));
    }
    await database().query(
      `UPDATE unanswered_questions SET created_at = now() - interval '15 days' WHERE account_id = $1`,
      [user.id],
    );
    await pass.run([user]);
    expect(await listed()).toEqual([[question, 1]]);
  });
});

describe('numbers', () => {
  const ended = async (type: string, days: number, assistant: number): Promise<number> => {
    const id = await plant(user, { at: daysAgo(days), assistant, type });
    await database().query(
      `INSERT INTO call_attempts (account_id, call_id, phone_number, state, slot_until, closed_at)
       VALUES ($1, $2, '+15005550020', 'closed', now(), now())`,
      [user.id, id],
    );
    await endedDaysAgo(days, id);
    return id;
  };
  const MASKED = ['+*******0020', '+*******0020'];
  const WHOLE = ['+15005550020', '+15005550020'];

  it('are masked with the transcript, those that limits of calls count after 31 days', async () => {
    const assistant = await anAssistant(user);
    const [incoming, recent, older] = [
      await ended('inbound', 6, assistant),
      await ended('outbound', 6, assistant),
      await ended('outbound', 32, assistant),
    ];
    await keeps(user, { transcripts_days: 5, mask_numbers: true });
    await pass.run([user]);
    expect(await numberOf(incoming)).toEqual(MASKED);
    expect(await numberOf(recent)).toEqual(WHOLE);
    expect(await numberOf(older)).toEqual(MASKED);
    await endedDaysAgo(32, recent);
    await pass.run([user]);
    expect(await numberOf(recent)).toEqual(MASKED);
  });

  it('of removed transcripts are masked when that is wanted later, of some assistants only', async () => {
    const [masking, other] = [await anAssistant(user), await anAssistant(user)];
    const [id, kept] = [await ended('inbound', 6, masking), await ended('inbound', 6, other)];
    await keeps(user, { transcripts_days: 5 });
    await pass.run([user]);
    expect(await numberOf(id)).toEqual(WHOLE);
    await user.client.put(`/user/assistant/${masking}`, { retention: { mask_numbers: true } });
    await pass.run([user]);
    expect([await numberOf(id), await numberOf(kept)]).toEqual([MASKED, WHOLE]);
  });

  it('that are none stay, addresses do not', async () => {
    const { rows } = await database().query<{ masked: string }>(
      `SELECT masked_number(number) AS masked
         FROM unnest(ARRAY['', 'anonymous', '+15005550020', 'sip:ada@example.com', '+12345']) AS number`,
    );
    expect(rows.map(({ masked }) => masked)).toEqual([
      '',
      'anonymous',
      '+*******0020',
      '***************.com',
      '+*2345',
    ]);
  });
});
