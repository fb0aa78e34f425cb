import { describe, expect, it } from '@jest/globals';
import samplerate from '@alexanderolsen/libsamplerate-js';
import { recogniseTones, SYMBOL_MS, ToneDecoder, toneSpeech } from './tones.js';

const TEXT = 'Hello “Grüße” 👋🏽 — aaa 1,000!';

const recognised = (samples: Int16Array, sampleRate: number): string[] =>
  recogniseTones(samples, sampleRate).map(({ text, complete }) => (complete ? text : `${text}…`));

async function resampled(samples: Int16Array, from: number, to: number): Promise<Int16Array> {
  const converter = await samplerate.create(1, from, to);
  const converted = converter.simple(Float32Array.from(samples, (sample) => sample / 32_768));
  converter.destroy();
  return Int16Array.from(converted, (sample) => Math.max(-32_768, Math.min(32_767, sample * 32_768)));
}

/** The error of µ-law: about a thirtieth of a sample. */
const coarse = (samples: Int16Array): Int16Array =>
  samples.map((sample) => {
    const step = 2 ** Math.max(3, Math.floor(Math.log2(Math.abs(sample) + 132)) - 4);
    return Math.round(sample / step) * step;
  });

const noise = (length: number, amplitude: number): Int16Array => {
  let seed = 1;
  return Int16Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 2 * amplitude;
  });
};

describe('the tones of the sandbox', () => {
  it.each([8_000, 16_000, 24_000, 44_100, 48_000])('are recognised at %i Hz', (sampleRate) => {
    expect(recognised(toneSpeech(TEXT, sampleRate), sampleRate)).toEqual([TEXT]);
  });

  it.each([
    [48_000, 8_000],
    [24_000, 8_000],
    [8_000, 48_000],
    [8_000, 16_000],
    [16_000, 24_000],
  ])('are recognised when %i Hz are converted to %i Hz', async (from, to) => {
    expect(recognised(await resampled(toneSpeech(TEXT, from), from, to), to)).toEqual([TEXT]);
  });

  it.each([0.02, 0.2, 1, 2])('are recognised at the volume %f, as µ-law and with noise', (volume) => {
    const speech = toneSpeech(TEXT, 8_000).map((sample) => sample * volume);
    const around = noise(speech.length, 3_000 * volume);
    expect(recognised(coarse(speech), 8_000)).toEqual([TEXT]);
    expect(
      recognised(
        speech.map((sample, at) => sample + (around[at] ?? 0)),
        8_000,
      ),
    ).toEqual([TEXT]);
  });

  it('are recognised in pieces of any size, one text after the other', () => {
    const decoder = new ToneDecoder(8_000);
    const audio = Int16Array.from([
      ...toneSpeech('one', 8_000),
      ...noise(3_000, 30),
      ...toneSpeech('two', 8_000),
    ]);
    const found: string[] = [];
    for (let at = 0; at < audio.length; at += 160)
      found.push(...decoder.push(audio.subarray(at, at + 160)).map(({ text }) => text));
    expect(found).toEqual(['one', 'two']);
  });

  it.each([8_000, 24_000])('are recognised with a gap anywhere, at %i Hz', (sampleRate) => {
    const speech = toneSpeech('Gap.', sampleRate);
    const ms = sampleRate / 1_000;
    const lost: string[] = [];
    for (let at = 0; at < speech.length; at += 5 * ms) {
      for (const gapMs of [20, 35, 100, 740]) {
        const gap = new Int16Array(gapMs * ms);
        const late = Int16Array.from([...speech.subarray(0, at), ...gap, ...speech.subarray(at)]);
        const [found] = recognised(late, sampleRate);
        if (found !== 'Gap.') lost.push(`${gapMs} ms at ${at / ms} ms: ${found}`);
      }
    }
    expect(lost).toEqual([]);
  });

  it('return the beginning of a text whose end is missing, marked as incomplete', () => {
    const speech = toneSpeech('abcdef', 8_000);
    const cut = speech.subarray(0, (speech.length / (2 * 6 + 4)) * 8);
    expect(recogniseTones(cut, 8_000)).toEqual([{ text: 'abc', complete: false }]);
  });

  it('are not recognised in silence and noise', () => {
    expect(recogniseTones(new Int16Array(16_000), 8_000)).toEqual([]);
    expect(recogniseTones(noise(16_000, 20_000), 8_000)).toEqual([]);
  });

  it(`take ${2 * SYMBOL_MS} ms for each letter of English`, () => {
    expect(toneSpeech('ab', 8_000)).toHaveLength(((2 * 2 + 4) * SYMBOL_MS * 8_000) / 1_000);
  });
});
