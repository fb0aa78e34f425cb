import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { heardCall, problemsOf, type HeardCall } from '../support/heard-call.js';
import { MULTIMODAL } from '../support/multimodal-call.js';
import { expectHeardAndStored, SpeechBench } from '../support/speech-bench.js';
import { GREETING } from '../support/spoken-call.js';

const sound = (name: string, level: number) => ({ background: [{ sound: name, level }] });

/** What makes the lines difficult. @param level of sounds that the detection of voices by energy takes for a voice */
const linesWith = (level: number): [name: string, traits: object][] => [
  ['steady noise', sound('white', -38)],
  ['a car', sound('car', -38)],
  ['babble', sound('babble', level)],
  ['music', sound('music', level)],
  ['a television', sound('television', level)],
  ['clicks', sound('clicks', -30)],
  ['a second voice', { second_voice: { level: -30 } }],
  ['frames in bursts', { jitter_ms: 60, bursts: { every_ms: 4_000, lasts_ms: 180 } }],
  ['a fast clock', { clock_drift: 2 }],
  ['a slow clock', { clock_drift: -2 }],
  ['late marks', { marks: { late_ms: 800 } }],
  ['lost and doubled marks', { marks: { lost: 0.2, doubled: 0.2 } }],
  [
    'several traits at once',
    {
      ...sound('car', -42),
      jitter_ms: 40,
      clock_drift: 1,
      marks: { late_ms: 300, lost: 0.1, doubled: 0.1 },
    },
  ],
];
const LINES = { multimodal: linesWith(-42), providers: linesWith(-52) };
/** Lively customers, each with a line: they pause, cough, listen aloud, interrupt and answer in a word. */
const calleeOf = (line: number): string => String(5_401 + line);
/** No call is ended because the machine is busy. */
const LASTS = { max_call_duration: 1_200 };

/** All calls at once: each takes as long as people speak. */
function callsOnLines(
  lines: readonly [name: string, traits: object][],
  call: (callee: string) => Promise<HeardCall>,
): Map<string, Promise<HeardCall>> {
  return new Map(lines.map(([name], index) => [name, call(calleeOf(index))]));
}

describe('a call of a realtime model', () => {
  let bench: CarrierBench;
  let calls = new Map<string, Promise<HeardCall>>();

  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 1);
    for (const [index, [, traits]] of LINES.multimodal.entries())
      await bench.setTraits(calleeOf(index), traits);
    calls = callsOnLines(LINES.multimodal, async (callee) => {
      const user = await anAccount({ service: bench });
      const fields = { ...MULTIMODAL, ...LASTS, initial_message: GREETING, post_call_evaluation: false };
      const assistant = await anAssistant(user, fields);
      const id = await aCall(user, assistant, { phoneNumber: `+1500555${callee}` });
      return heardCall(bench, user, id);
    });
    await Promise.allSettled(calls.values());
  });
  afterAll(() => bench.stop());

  it.each(LINES.multimodal)('stores what both sides heard, on a line with %s', async (name) => {
    const heard = await calls.get(name);
    expect(heard && problemsOf(heard)).toEqual([]);
    expect(heard?.call['settings_not_applied']).not.toContain('engine_type');
    expect(['customer_hangup', 'goodbye']).toContain(heard?.call['ended_reason']);
  });
});

describe('a call with speech providers', () => {
  let bench: SpeechBench;
  let calls = new Map<string, Promise<HeardCall>>();

  beforeAll(async () => {
    bench = await SpeechBench.start();
    for (const [index, [, traits]] of LINES.providers.entries())
      await bench.carrier.setTraits(calleeOf(index), traits);
    calls = callsOnLines(LINES.providers, (callee) => bench.call(callee, LASTS));
    await Promise.allSettled(calls.values());
  });
  afterAll(() => bench.stop());

  it.each(LINES.providers)('stores what both sides heard, on a line with %s', async (name) => {
    const heard = await calls.get(name);
    if (!heard) throw new Error(`no call on the line with ${name}`);
    expectHeardAndStored(heard);
    expect(['customer_hangup', 'goodbye']).toContain(heard.call['ended_reason']);
  });
});
