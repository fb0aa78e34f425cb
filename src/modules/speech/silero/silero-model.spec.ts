/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as onnx from 'onnxruntime-node';
import { syntheticVoice } from '../../../../tooling/sandbox/speech/synthetic-voice.js';
import { type ModelRate, SileroModel, SileroStream, WINDOW_SAMPLES } from './silero-model.js';

const WINDOWS = 20;

/** Sizes of the runs of the session. */
let batches: number[];
let sessions = 0;
let model: SileroModel;

beforeAll(async () => {
  model = await SileroModel.load({
    Tensor: onnx.Tensor,
    InferenceSession: {
      create: async (...options) => {
        const session = await onnx.InferenceSession.create(...options);
        sessions += 1;
        return {
          run: (feeds) => {
            batches.push(feeds['input']?.dims[0] ?? 0);
            return session.run(feeds);
          },
        };
      },
    },
  });
});

/** The probabilities of a synthesised voice, window after window. */
async function classify(rate: ModelRate, seed: number): Promise<number[]> {
  const stream = new SileroStream(rate);
  const voice = syntheticVoice({ sampleRate: rate, seconds: 1, seed });
  const probabilities: number[] = [];
  for (let index = 0; index < WINDOWS; index += 1) {
    const at = index * WINDOW_SAMPLES[rate];
    probabilities.push(await model.classify(stream, voice.subarray(at, at + WINDOW_SAMPLES[rate])));
  }
  return probabilities;
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('SileroModel', () => {
  it('computes the waiting windows of all calls in one run of one session, each with its own state', async () => {
    batches = [];
    const alone = [await classify(8_000, 1), await classify(8_000, 2), await classify(8_000, 3)];
    expect(batches).toEqual(Array(3 * WINDOWS).fill(1));
    batches = [];
    const together = await Promise.all([classify(8_000, 1), classify(8_000, 2), classify(8_000, 3)]);
    expect(batches).toEqual(Array(WINDOWS).fill(3));
    expect(sessions).toBe(1);
    together.forEach((call, index) =>
      call.forEach((probability, window) => expect(probability).toBeCloseTo(alone[index]?.[window] ?? -1, 3)),
    );
  });

  it('computes windows of each sample rate in runs of their own', async () => {
    batches = [];
    const calls = await Promise.all([classify(8_000, 1), classify(16_000, 1), classify(16_000, 2)]);
    expect(batches.toSorted()).toEqual([...Array(WINDOWS).fill(1), ...Array(WINDOWS).fill(2)]);
    for (const probabilities of calls) expect(average(probabilities)).toBeGreaterThan(0.7);
  });

  it('limits the windows of a run', async () => {
    batches = [];
    await Promise.all(Array.from({ length: 20 }, (_, seed) => classify(8_000, seed + 1)));
    expect(Math.max(...batches)).toBe(16);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(20 * WINDOWS);
  });
});
