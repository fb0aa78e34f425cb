import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  constantTurnModel,
  failingTurnModel,
  turnModelBytes,
} from '#src/modules/speech/end-of-turn/turn-model-file.fake.js';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { heardCall, problemsOf, type HeardCall } from '../support/heard-call.js';
import { MULTIMODAL } from '../support/multimodal-call.js';
import { TONES } from '../support/speech-bench.js';

/** Asks a question in three parts, with pauses of 0.9 s. */
const PAUSING = '+15005550037';
const QUESTION = 'Customer: Is there an appointment free on Thursday afternoon or on Friday at three?';
const MAX_ATTEMPTS = 3;
const LINES = {
  'speech providers': { synthesizer_provider_id: 1, transcriber_provider_id: 2 },
  'a realtime model': MULTIMODAL,
};

let folder: string;
let bench: CarrierBench;

function fileOf(bytes: Buffer): string {
  const path = join(folder, 'turn.onnx');
  writeFileSync(path, bytes);
  return path;
}

/** A call on each line. */
async function callsOnLines(): Promise<Map<string, HeardCall>> {
  const calls = Object.entries(LINES).map(async ([line, fields]): Promise<[string, HeardCall]> => {
    const user = await anAccount({ service: bench });
    const assistant = await anAssistant(user, {
      initial_message: 'Hello, this is Ada. What may I do for you?',
      max_call_duration: 1_200,
      post_call_evaluation: false,
      ...fields,
    });
    const id = await aCall(user, assistant, { phoneNumber: PAUSING });
    return [line, await heardCall(bench, user, id)];
  });
  return new Map(await Promise.all(calls));
}

/** Answers of the model that had this outcome. */
async function answers(outcome: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', bench.root))).text();
  return Number(new RegExp(`turn_model_answers_total{outcome="${outcome}"} (\\d+)`).exec(text)?.[1] ?? 0);
}

const lineOf = (calls: Map<string, HeardCall>, line: string): HeardCall => {
  const heard = calls.get(line);
  if (!heard) throw new Error(line);
  return heard;
};

function expectHeardAndStored(heard: HeardCall, line: string): void {
  expect(problemsOf(heard, line === 'speech providers' ? TONES : {})).toEqual([]);
  expect(heard.call['ended_reason']).toBe('goodbye');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turn-model-'));
  // The sandbox's voices are tones.
  bench = await CarrierBench.start(undefined, 1, { VOICE_DETECTION: 'energy' });
});
afterAll(async () => {
  await bench.stop();
  rmSync(folder, { recursive: true });
});

describe('with a model that finds no pause to be the end of a turn', () => {
  let calls: Map<string, HeardCall>;
  /** A busy machine answered too late, in every attempt: the turns of these calls ended as without a model. */
  let isLate = true;
  beforeAll(async () => {
    await bench.restart('stop', { TURN_MODEL: fileOf(constantTurnModel(0.05)) });
    for (let attempts = 0; isLate && attempts < MAX_ATTEMPTS; attempts += 1) {
      const before = await answers('late');
      calls = await callsOnLines();
      isLate = (await answers('late')) > before;
    }
  });

  it.each(Object.keys(LINES))('a question with pauses of 0.9 s is one turn, over %s', (line) => {
    const heard = lineOf(calls, line);
    expectHeardAndStored(heard, line);
    const said = heard.transcript.split('\n').map((text) => text.replaceAll(' ', ''));
    if (!isLate) expect(said).toContain(QUESTION.replaceAll(' ', ''));
  });

  it('counts its answers', async () => {
    expect((await answers('incomplete')) + (await answers('late'))).toBeGreaterThan(0);
    expect(await answers('failed')).toBe(0);
  });
});

describe('with a model that fails when somebody speaks', () => {
  let calls: Map<string, HeardCall>;
  beforeAll(async () => {
    await bench.restart('stop', { TURN_MODEL: fileOf(failingTurnModel()) });
    calls = await callsOnLines();
  });

  it.each(Object.keys(LINES))('the call is held as without one, over %s', (line) => {
    const heard = lineOf(calls, line);
    expectHeardAndStored(heard, line);
    const said = heard.transcript.replaceAll(/\nCustomer: /g, ' ');
    expect(said).toContain('or on Friday at three?');
  });

  it('counts the failures', async () => {
    expect((await answers('failed')) + (await answers('late'))).toBeGreaterThan(0);
    expect(await answers('incomplete')).toBe(0);
  });
});

describe('with a file that is no end-of-turn model', () => {
  it.each([
    [
      'takes other inputs',
      turnModelBytes({ shape: [1, 80, 800] }),
      /must have one input.*audio float32 \[1, 80, 800\]/,
    ],
    ['is no model', Buffer.from('no model'), /cannot be read as an ONNX model/],
  ])('the service does not start, and says that it %s', async (_, bytes, reason) => {
    const start = bench.restart('stop', { TURN_MODEL: fileOf(bytes) });
    await expect(start).rejects.toThrow(/ended with 1/);
    await expect(start).rejects.toThrow(reason);
    await expect(start).rejects.toThrow(/TURN_MODEL: .*turn-model\.md/);
  });
});
