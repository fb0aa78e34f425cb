import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

const VOICEMAIL = '+15005550005';
const BEEPS = [
  ['2 s', '+15005550052'],
  ['9 s', VOICEMAIL],
  ['20 s', '+15005550053'],
] as const;

let bench: CarrierBench;
let user: TestAccount;

beforeAll(async () => {
  bench = await CarrierBench.start(undefined, 1);
  user = await anAccount({ plan: 'unlimited', service: bench });
});
afterAll(() => bench.stop());

const calling = async (fields: Record<string, unknown>, phoneNumber = VOICEMAIL): Promise<number> =>
  aCall(user, await anAssistant(user, { post_call_evaluation: false, ...fields }), {
    phoneNumber,
    variables: { name: 'Alex' },
  });

/** What stands among the turns; the service may have been told twice, and killed. */
const outcomesOf = async (id: number) => {
  const { body } = await user.client.get<{
    data: { turns: { tool?: { name: string; arguments: { outcome?: string } } }[] };
  }>(`/user/calls/${id}/turns`);
  return body.data.turns.flatMap(({ tool }) => (tool?.name === 'voicemail' ? [tool.arguments.outcome] : []));
};

const linesOf = (transcript: unknown): string[] =>
  String(transcript)
    .split('\n')
    .flatMap((line) => /^AI: (.*)$/.exec(line)?.[1] ?? []);

it.each(BEEPS)(
  'speaks the message after a beep at %s, once, and stores what the machine recorded',
  async (_, phoneNumber) => {
    const id = await calling({ voice_mail_message: 'Hello {name}, please call us back.' }, phoneNumber);
    const { token, sid } = await bench.callAtCarrier(id);
    const ofCall = async () => (await bench.journal()).filter((entry) => entry.sid === sid);
    await until(async () => (await ofCall()).some(({ event }) => event === 'amd:machine_end_beep'));
    await bench.says(`amd/${token}`, { CallSid: sid, AnsweredBy: 'machine_end_beep' });
    const call = await callWhen(user, id, ({ status }) => status === 'completed');
    expect(call).toMatchObject({ answered_by: 'machine', ended_by: 'system', ended_reason: 'voicemail' });
    expect(await outcomesOf(id)).toEqual(['message']);

    const journal = await ofCall();
    // For the message, and when it was spoken.
    expect(journal.filter(({ event }) => event === 'redirect')).toHaveLength(2);
    const speech = journal.filter(({ kind, who }) => kind === 'speech' && who === 'assistant');
    const heard = speech.map((said) => said.heard).filter(Boolean);
    const message = 'Hello Alex, please call us back.';
    expect(heard.filter((text) => text === message)).toHaveLength(1);
    const stored = linesOf(Reflect.get(call, 'transcript'));
    expect([heard.pop(), stored.pop()]).toEqual([message, message]);
    // The carrier does not tell what was heard of the speech that the message cuts: it may differ by a word.
    const [short = [], long = []] = [heard, stored]
      .map((lines) => lines.join(' ').split(' ').filter(Boolean))
      .sort((one, other) => one.length - other.length);
    expect(long.slice(0, short.length)).toEqual(short);
    expect(long.length - short.length).toBeLessThanOrEqual(1);
  },
);

it('speaks the message when no process receives the report', async () => {
  const id = await calling({ voice_mail_message: 'Hello {name}, please call us back.' });
  const { sid } = await bench.callAtCarrier(id);
  const told = async (event: string) =>
    (await bench.journal()).some((entry) => entry.sid === sid && entry.event === event);
  await until(async () => {
    const { rows } = await bench.db.query('SELECT 1 FROM calls WHERE id = $1 AND conversation_claim > 0', [
      id,
    ]);
    return rows.length === 1;
  });
  await bench.restart('kill', {}, () => until(() => told('amd:machine_end_beep')));
  await bench.db.query('UPDATE calls SET check_at = now() WHERE id = $1', [id]);
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(call).toMatchObject({ answered_by: 'machine', ended_by: 'system', ended_reason: 'voicemail' });
  expect(await outcomesOf(id)).toEqual(['message']);
  const heard = (await bench.journal()).filter((entry) => entry.sid === sid && entry.who === 'assistant');
  expect(heard.filter((said) => said.heard === 'Hello Alex, please call us back.')).toHaveLength(1);
});

it('ends a call with a machine that gets neither a message nor a hang-up, in any process', async () => {
  await bench.db.query(`
    CREATE TABLE hang_ups (call_id int, seconds float);
    CREATE FUNCTION note_hang_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO hang_ups VALUES (NEW.id, extract(epoch FROM NEW.hang_up_at - now())); RETURN NULL; END $$;
    CREATE TRIGGER note_hang_up AFTER UPDATE OF hang_up_at ON calls
      FOR EACH ROW WHEN (NEW.hang_up_at = NEW.check_at) EXECUTE FUNCTION note_hang_up()`);
  const id = await calling({ end_call_on_voicemail: false });
  // When it was written.
  const seconds = await until(async () => {
    const { rows } = await bench.db.query<{ seconds: number }>(
      'SELECT seconds FROM hang_ups WHERE call_id = $1',
      [id],
    );
    return rows[0]?.seconds ?? null;
  });
  expect(seconds).toBe(30);
  await bench.db.query('DROP FUNCTION note_hang_up CASCADE');
  await bench.restart('kill');
  await bench.db.query('UPDATE calls SET hang_up_at = now(), check_at = now() WHERE id = $1', [id]);
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(call).toMatchObject({ answered_by: 'machine', ended_by: 'system', ended_reason: 'voicemail' });
  expect(await outcomesOf(id)).toEqual(['waited']);
});
