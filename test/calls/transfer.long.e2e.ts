import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

const UNREACHED = 'AI: I am sorry, nobody could be reached. How else can I help you?';
const ASKS_FOR_PERSON = '+15005550040';
const DOES_NOT_ANSWER = '+15005550004';

let bench: CarrierBench;

beforeAll(async () => {
  // Nobody answers for 5 s: long enough for a restart.
  bench = await CarrierBench.start(undefined, 16);
});

afterAll(() => bench.stop());

it('brings the assistant back in another process when the first one is killed while a person is called', async () => {
  const user = await anAccount({ service: bench });
  const assistantId = await anAssistant(user, {
    post_call_evaluation: false,
    transfer_numbers: [{ name: 'Workshop', phone_number: DOES_NOT_ANSWER }],
  });
  const id = await aCall(user, assistantId, { phoneNumber: ASKS_FOR_PERSON });
  await until(async () => (await bench.journal()).some(({ event }) => event === 'action'));
  await bench.restart('kill');
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  expect(call).toMatchObject({
    ended_by: 'assistant',
    ended_reason: 'goodbye',
    transfers: [{ to: DOES_NOT_ANSWER, status: 'no-answer' }],
    transcript: expect.stringContaining(UNREACHED),
  });
});
