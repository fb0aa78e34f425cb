import { expect, it } from '@jest/globals';
import { Resampler } from './resampler.js';

const tone = (frequency: number, rate: number): Float32Array =>
  Float32Array.from({ length: rate }, (_, at) => Math.sin((2 * Math.PI * frequency * at) / rate));

/** In pieces as an audio worklet gets them. */
function converted(samples: Float32Array, from: number, to: number): number[] {
  const resampler = new Resampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += 128)
    out.push(...resampler.push(samples.subarray(at, at + 128)));
  return out;
}

it.each([
  [48_000, 24_000],
  [44_100, 24_000],
  [16_000, 24_000],
  [24_000, 24_000],
])('a tone at %i Hz is the same tone at %i Hz', (from, to) => {
  const out = converted(tone(1_000, from), from, to);
  // The last ones wait for what follows.
  expect(Math.abs(out.length - to)).toBeLessThan(40);
  const wanted = tone(1_000, to);
  const errors = out.slice(100, -100).map((sample, at) => Math.abs(sample - (wanted[at + 100] ?? 0)));
  expect(Math.max(...errors)).toBeLessThan(0.03);
});

it('what the lower rate cannot hold is left out', () => {
  const out = converted(tone(16_000, 48_000), 48_000, 24_000).slice(100, -100);
  expect(Math.max(...out.map(Math.abs))).toBeLessThan(0.02);
});
