import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import type { CarrierBench } from './carrier-bench.js';

export const GREETING = 'Hello, this is Ada from the bicycle shop around the corner. Do you have a minute?';

/** A call at the speed of people. */
export interface SpokenCall {
  bench: CarrierBench;
  user: TestAccount;
  id: number;
}

export async function aSpokenCall(bench: CarrierBench, digits: string): Promise<SpokenCall> {
  const user = await anAccount({ service: bench });
  const assistant = await anAssistant(user, { initial_message: GREETING, max_call_duration: 25 });
  return { bench, user, id: await aCall(user, assistant, { phoneNumber: `+1500555${digits}` }) };
}

/** What the assistant said, as the callee heard it and as it is stored, when the call is over. */
export async function bothSides({
  bench,
  user,
  id,
}: SpokenCall): Promise<{ heard: string[]; stored: string[] }> {
  const call = await callWhen(user, id, ({ status }) => status === 'completed');
  const { transcript } = call as unknown as { transcript: string };
  const { sid } = await bench.callAtCarrier(id);
  const heard = (await bench.journal())
    .filter((entry) => entry.kind === 'speech' && entry.sid === sid && entry.who === 'assistant')
    .map((entry) => (entry.heard ?? '').trim())
    .filter(Boolean);
  const stored = transcript
    .split('\n')
    .filter((line) => line.startsWith('AI: '))
    .map((line) => line.slice('AI: '.length));
  return { heard, stored };
}
