import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import type { HeardCall } from '../support/heard-call.js';
import { Receiver } from '../support/receiver.js';
import { expectGoesOn, expectHeardAndStored, FLAWED, SpeechBench } from '../support/speech-bench.js';

let bench: SpeechBench;
let tool: Receiver;
const calls = new Map<string, Promise<HeardCall>>();
const heardOf = (name: string): Promise<HeardCall> => calls.get(name) ?? Promise.reject(new Error(name));

async function aTool(user: TestAccount): Promise<object> {
  const { body } = await user.client.post<{ data: { id: number } }>('/user/tools', {
    name: 'find_order',
    description: 'Looks up an order by its number.',
    endpoint: tool.url,
    method: 'POST',
    schema: [{ name: 'order_number', type: 'string', description: 'The number of the order.' }],
  });
  return { tool_ids: [body.data.id] };
}

// All at once: the assistant's voice takes as long as voices take.
beforeAll(async () => {
  [bench, tool] = await Promise.all([SpeechBench.start(), Receiver.open()]);
  const quiet = { allow_interruptions: false };
  calls.set('tool', bench.call('0025', quiet, aTool));
  calls.set('interrupting', bench.call('0021'));
  calls.set('pausing', bench.call('0037'));
  calls.set('refuses', bench.call('0020', { ...FLAWED.refuses, ...quiet }));
  calls.set('stops-hearing', bench.call('0020', { ...FLAWED['stops-hearing'], ...quiet }));
  await Promise.allSettled(calls.values());
});

afterAll(() => Promise.all([bench.stop(), tool.close()]));

it('holds a call over its audio with the speech providers of the assistant, and calls a tool', async () => {
  const heard = await heardOf('tool');
  expectHeardAndStored(heard);
  expect(heard.transcript).toMatch(/AI: You are speaking with an automated assistant\. Hello, this is Ada\./);
  expect(heard.call['ended_reason']).toBe('goodbye');
  expect(tool.received[0]?.body).toMatchObject({ order_number: '4711' });
});

it('is interrupted in the middle of a sentence, and stores the heard part of it', async () => {
  const heard = await heardOf('interrupting');
  expectHeardAndStored(heard);
  expect(
    heard.journal.some((entry) => entry.who === 'assistant' && Reflect.get(entry, 'whole') === false),
  ).toBe(true);
});

it('answers a customer who pauses in a question, and loses no word of it', async () => {
  const heard = await heardOf('pausing');
  expectHeardAndStored(heard);
  const said = heard.transcript.replaceAll(/\n(Customer|AI): /g, ' ');
  for (const part of ['Is there an appointment free on', 'Thursday afternoon', 'or on Friday at three?'])
    expect(said).toContain(part);
});

it.each([
  ['refuses at the start', 'refuses'],
  ['fails in the middle of the call', 'stops-hearing'],
])('continues with the speech of the carrier when a provider %s, and reports it', async (_case, name) => {
  expectGoesOn(await heardOf(name));
});
