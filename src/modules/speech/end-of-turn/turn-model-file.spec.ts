/** @jest-environment ./test/support/native-arrays-environment.mjs */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TurnModelFile } from './turn-model-file.js';
import { failingTurnModel, turnModelBytes, type TurnModelFormula } from './turn-model-file.fake.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'turn-model-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function open(bytes: Buffer | string): Promise<TurnModelFile> {
  const path = join(folder, 'model.onnx');
  writeFileSync(path, bytes);
  return TurnModelFile.open(path);
}
const opened = (formula: TurnModelFormula = {}): Promise<TurnModelFile> => open(turnModelBytes(formula));

const tone = (sampleRate: number, seconds: number, level: number): Int16Array =>
  Int16Array.from({ length: sampleRate * seconds }, (_, at) =>
    Math.round(level * 32_768 * Math.sin((2 * Math.PI * 200 * at) / sampleRate)),
  );

describe('TurnModelFile', () => {
  it.each([8_000, 16_000, 24_000])('gives the model audio of %i Hz as samples from -1 to 1', async (rate) => {
    const model = await opened();
    const probability = await model.probability({ samples: tone(rate, 1, 0.5), sampleRate: rate });
    expect(probability).toBeCloseTo(0.5, 1);
  });

  it('gives it the last 8 s only, and nothing of another turn', async () => {
    const model = await opened();
    const samples = new Int16Array(8_000 * 10);
    samples.set(tone(8_000, 1, 0.9));
    expect(await model.probability({ samples, sampleRate: 8_000 })).toBeLessThan(0.01);
    await model.probability({ samples: tone(8_000, 1, 0.9), sampleRate: 8_000 });
    const silence = new Int16Array(800);
    expect(await model.probability({ samples: silence, sampleRate: 8_000 })).toBeLessThan(0.01);
  });

  it('takes a file whose dimensions are named', async () => {
    const model = await opened({ shape: ['batch', 'samples'] });
    expect(await model.probability({ samples: tone(16_000, 1, 0.25), sampleRate: 16_000 })).toBeCloseTo(
      0.25,
      1,
    );
  });

  it.each<[string, TurnModelFormula, RegExp]>([
    [
      'other features',
      { shape: [1, 80, 800] },
      /one input, float32 \[1, 128000\], and has audio float32 \[1, 80, 800\]/,
    ],
    ['another length', { shape: [1, 64_000] }, /and has audio float32 \[1, 64000\]/],
    ['two inputs', { others: ['rate'] }, /and has audio float32 \[1, 128000\] and rate float32/],
    ['many outputs', { reduces: false }, /fails with silence: the output has 128000 values in place of one/],
    ['no probability', { min: 3, max: 3 }, /fails with silence: the output 3 is no probability from 0 to 1/],
  ])('refuses a file with %s', async (_, formula, message) => {
    await expect(opened(formula)).rejects.toThrow(message);
  });

  it('refuses what is no model, and a file that does not exist', async () => {
    await expect(open('no model')).rejects.toThrow(/cannot be read as an ONNX model/);
    await expect(TurnModelFile.open(join(folder, 'none.onnx'))).rejects.toThrow(
      /cannot be read as an ONNX model/,
    );
  });

  it('fails where the answer is no probability', async () => {
    const model = await open(failingTurnModel());
    const loud = { samples: tone(8_000, 1, 0.5), sampleRate: 8_000 };
    await expect(model.probability(loud)).rejects.toThrow(/is no probability from 0 to 1/);
  });
});
