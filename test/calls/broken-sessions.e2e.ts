import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

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

it('says the greeting again, records once, gives up the voice and then the call', async () => {
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

it('gives up after three breaks in a minute', async () => {
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
