import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

let bench: CarrierBench;
let user: TestAccount;

beforeAll(async () => {
  bench = await CarrierBench.start();
  user = await anAccount({ service: bench });
  await anAssistant(user, {
    calls_direction: 'receive',
    phone_number_id: user.phoneNumber.id,
    initial_message: 'Hello, this is Ada.',
    record_call: true,
    transfer_numbers: [{ name: 'Workshop', phone_number: '+14155550177' }],
  });
});

afterAll(() => bench.stop());

async function incoming() {
  const sid = `CA${randomBytes(16).toString('hex')}`;
  const from = aNumber();
  const document = await bench.incoming(user.phoneNumber.phone_number, from, sid);
  const { body } = await user.client.get<{ data: { id: number }[] }>(
    `/user/calls?phone_number=${encodeURIComponent(from)}`,
  );
  const id = body.data[0]?.id ?? 0;
  const { token } = await bench.callAtCarrier(id);
  return { sid, id, token, document };
}

/** The session of the document broke: the carrier asks the document's action URL. */
function breaks(document: string, sid: string, errorCode: string): Promise<string> {
  const action = /action="([^"]+)"/.exec(document)?.[1]?.replace(/&amp;/g, '&') ?? '';
  // The fragment stays with the carrier.
  const [path = ''] = action.slice(action.indexOf('/telephony/') + '/telephony/'.length).split('#');
  const form = { CallSid: sid, CallStatus: 'in-progress', SessionStatus: 'failed', ErrorCode: errorCode };
  return bench.says(path, form);
}

const turnsOf = async (id: number) => {
  const { rows } = await bench.db.query<{ role: string; text: string; timings: Record<string, number> }>(
    'SELECT role, text, timings FROM call_turns WHERE call_id = $1 ORDER BY seq',
    [id],
  );
  return rows;
};

it('repeats the greeting, records once, and ends the voice and then the call after further breaks', async () => {
  const { sid, id, document } = await incoming();
  expect(document).toMatch(/<Start><Recording.*welcomeGreeting="[^"]*Hello, this is Ada\."/);
  const second = await breaks(document, sid, '64102');
  expect(second).toMatch(/welcomeGreeting="[^"]*Hello, this is Ada\."/);
  expect(second).not.toContain('<Recording');
  expect(second).toContain(' voice="');
  const third = await breaks(second, sid, '64101');
  expect(third).toContain('<ConversationRelay');
  expect(third).not.toContain(' voice="');
  const { settings_not_applied } = (await callWhen(user, id, () => true)) as unknown as {
    settings_not_applied: string[];
  };
  expect(settings_not_applied).toContain('voice_id');
  const last = await breaks(third, sid, '64101');
  expect(last).toMatch(/<Response><Say language="en-US">.*Goodbye\.<\/Say><Hangup\/><\/Response>/);
  await bench.says('status', { CallSid: sid, CallStatus: 'completed', CallDuration: '1' });
  const ended = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(ended).toMatchObject({ ended_by: 'system', ended_reason: 'connection_lost' });
});

it('ends the call after three breaks in a minute', async () => {
  const call = await incoming();
  let { document } = call;
  for (let round = 0; round < 3; round += 1) {
    document = await breaks(document, call.sid, '64105');
    expect(document).toContain('<ConversationRelay');
  }
  expect(await breaks(document, call.sid, '64105')).toContain('<Hangup/>');
});

it('lets no process store or end a conversation that another one has taken over', async () => {
  const { sid, id, token, document } = await incoming();
  const socket = await bench.connects(token);
  const frames: { type: string; last?: boolean }[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  const says = (voicePrompt: string) =>
    socket.send(JSON.stringify({ type: 'prompt', voicePrompt, lang: 'en-US', last: true }));
  const spoken = () => frames.filter(({ type, last }) => type === 'text' && last).length;
  says('Who is this, please?');
  await until(async () => (spoken() > 0 && (await turnsOf(id)).length >= 3 ? true : null));
  // The greeting was not played to its end, but answered: it is not said again.
  expect(await breaks(document, sid, '64105')).not.toContain('welcomeGreeting=');

  await bench.db.query('UPDATE calls SET conversation_claim = conversation_claim + 1 WHERE id = $1', [id]);
  const before = await turnsOf(id);
  const said = spoken();
  says('Goodbye!');
  await until(() =>
    Promise.resolve(spoken() > said || frames.some(({ type }) => type === 'end') ? true : null),
  );
  socket.close();
  await once(socket, 'close');
  expect(await turnsOf(id)).toEqual(before);
  expect(await callWhen(user, id, () => true)).toMatchObject({ ended_by: null, ended_reason: null });
});

it('transfers a call in spite of lost callbacks, and never changes a stored outcome', async () => {
  const { sid, id, token } = await incoming();
  const socket = await bench.connects(token);
  const frames: { type: string; token?: string; last?: boolean; handoffData?: string }[] = [];
  const info = (name: string, value: string) => socket.send(JSON.stringify({ type: 'info', name, value }));
  // What is said is played at once.
  info('tokensPlayed', 'This call is recorded. Hello, this is Ada.');
  info('agentSpeaking', 'off');
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as (typeof frames)[number];
    frames.push(frame);
    if (!frame.last) return;
    info('tokensPlayed', frames.map((one) => one.token ?? '').join(''));
    info('agentSpeaking', 'off');
  });
  const voicePrompt = 'Can I speak to a person, please?';
  socket.send(JSON.stringify({ type: 'prompt', voicePrompt, lang: 'en-US', last: true }));
  const end = await until(async () => frames.find(({ type }) => type === 'end') ?? null);
  socket.close();
  const transfers = async () =>
    (await user.client.get<{ transfers: { status: string }[] }>(`/user/calls/${id}`)).body.transfers;
  const form = { CallSid: sid, CallStatus: 'in-progress', HandoffData: end.handoffData ?? '' };
  const path = /telephony\/(transfer\/[^"#]+)/;
  const document = await bench.says(`action/${token}`, form);
  expect(document).toContain(`callerId="${user.phoneNumber.phone_number}"`);
  expect(document).toMatch(/statusCallbackEvent="answered completed">\+14155550177<\/Number><\/Dial>/);
  // The carrier repeats its request, or lost its session before it was told why.
  const lost = { CallSid: sid, CallStatus: 'in-progress', SessionStatus: 'failed', ErrorCode: '64105' };
  const action = path.exec(document)?.[1] ?? '';
  for (const again of [form, lost]) {
    expect(path.exec(await bench.says(`action/${token}`, again))?.[1]).toBe(action);
  }
  expect(await transfers()).toMatchObject([{ status: 'dialing' }]);

  const person = { CallSid: `CA${randomBytes(16).toString('hex')}`, ParentCallSid: sid };
  const report = (CallStatus: string) =>
    bench.says(action.replace('transfer/', 'transfer-status/'), { ...person, CallStatus });
  await report('ringing');
  await report('busy');
  await report('in-progress');
  expect(await transfers()).toMatchObject([{ status: 'busy' }]);
  // The action URL did not answer: the fallback URL is asked, and told nothing of the person.
  const ErrorUrl = `https://calls.example.com/telephony/${action}`;
  const to = user.phoneNumber.phone_number;
  const back = await bench.says('incoming', {
    CallSid: sid,
    From: '+14155550111',
    To: to,
    CallStatus: 'in-progress',
    ErrorUrl,
  });
  expect(back).toContain('<ConversationRelay');
  expect(back).not.toMatch(/welcomeGreeting=|<Recording/);
  const over = { CallSid: sid, CallStatus: 'completed', CallDuration: '9' };
  await bench.says('status', over);
  const ended = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(ended).toMatchObject({ ended_reason: 'customer_hangup', transfers: [{ status: 'busy' }] });
});

it('waits for the last heard part before it makes the record final', async () => {
  const { sid, id, token } = await incoming();
  const socket = await bench.connects(token);
  const says = (voicePrompt: string) =>
    socket.send(JSON.stringify({ type: 'prompt', voicePrompt, lang: 'en-US', last: true }));
  await until(async () => (await turnsOf(id)).length > 0);
  const slow = await bench.db.connect();
  try {
    await slow.query('BEGIN; LOCK TABLE call_turns IN SHARE MODE');
    await putOffWrapUp(id);
    says('I only wanted to say hello.');
    await until(async () => (await waitingWrites()) > 0);
    await bench.says('status', { CallSid: sid, CallStatus: 'completed', CallDuration: '1' });
    await until(() => wrapUpWaits(id));
  } finally {
    await slow.query('COMMIT');
    slow.release();
  }
  await until(async () => (await turnsOf(id)).some(({ text }) => text === 'I only wanted to say hello.'));
  await bench.db.query('DROP FUNCTION put_off CASCADE');
  await bench.db.query('UPDATE calls SET wrap_up_due_at = now() WHERE id = $1', [id]);
  socket.close();
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(Reflect.get(call, 'transcript')).toContain('Customer: I only wanted to say hello.');
});

async function waitingWrites(): Promise<number> {
  const { rows } = await bench.db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO call_turns%'`,
  );
  return rows[0]?.n ?? 0;
}

/** The longest of its pauses, which is seconds, lasts until the test ends it. */
const putOffWrapUp = (id: number) =>
  bench.db.query(`
    CREATE FUNCTION put_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.wrap_up_due_at := now() + interval '1 day'; RETURN NEW; END $$;
    CREATE TRIGGER put_off BEFORE UPDATE ON calls
      FOR EACH ROW WHEN (NEW.id = ${id} AND NEW.wrap_up_attempts = OLD.wrap_up_attempts
                         AND NEW.wrap_up_due_at > now() + interval '2 s')
      EXECUTE FUNCTION put_off()`);

/** Whether the wrap-up has begun its longest pause, or is over. */
async function wrapUpWaits(id: number): Promise<boolean> {
  const { rows } = await bench.db.query(
    `SELECT FROM calls
      WHERE id = $1 AND (wrap_up_state = 'done'
                         OR wrap_up_attempts = 3 AND wrap_up_due_at > now() + interval '1 hour')`,
    [id],
  );
  return rows.length > 0;
}
