import { describe, expect, it } from '@jest/globals';
import { encodeAudio, fromPcm, decodeAudio, toPcm, toWav } from './audio-format.js';
import { decodeMulaw, encodeMulaw } from '#src/modules/media/mulaw.js';
import { Resampler } from './resampler.js';

const sine = (hertz: number, sampleRate: number, ms: number): Int16Array =>
  Int16Array.from(
    { length: (sampleRate * ms) / 1000 },
    (_, at) => 10_000 * Math.sin((2 * Math.PI * hertz * at) / sampleRate),
  );

/** The greatest difference between two samples in a row. */
const steepest = (samples: Int16Array): number =>
  samples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (samples[at - 1] ?? sample))), 0);

const loudness = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('µ-law', () => {
  it.each([
    [0x00, -32_124],
    [0x7f, 0],
    [0x80, 32_124],
    [0xff, 0],
    [0xd5, 716],
  ])('decodes %i as %i, as the tables of G.711 do', (byte, sample) => {
    expect([...decodeMulaw(Uint8Array.of(byte))].map((value) => value + 0)).toEqual([sample]);
  });

  it('encodes what it decoded to the same bytes; the two zeros are one', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const expected = Buffer.from(bytes);
    expected[0x7f] = 0xff;
    expect(encodeMulaw(decodeMulaw(bytes))).toEqual(expected);
  });

  it('keeps the loudest samples at their limit', () => {
    expect(encodeMulaw(Int16Array.of(32_767, -32_768))).toEqual(Buffer.from([0x80, 0x00]));
  });
});

describe('audio formats', () => {
  it('convert a line to samples and back', () => {
    const samples = sine(440, 24_000, 20);
    expect(decodeAudio(encodeAudio(samples, 'pcm16-24000'), 'pcm16-24000')).toEqual(samples);
    expect(encodeAudio(samples, 'pcmu-8000')).toHaveLength(samples.length);
  });

  it('leave out half a sample at the end', () => {
    expect([...fromPcm(Buffer.from([1, 0, 2]))]).toEqual([1]);
  });

  it('write a WAV file with its rate and length', () => {
    const samples = Int16Array.of(1, -2);
    const file = toWav(samples, 8_000);
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect([file.readUInt32LE(4), file.readUInt32LE(24), file.readUInt32LE(40)]).toEqual([40, 8_000, 4]);
    expect(file.subarray(44)).toEqual(toPcm(samples));
  });
});

describe('Resampler', () => {
  it.each([
    [24_000, 8_000],
    [8_000, 16_000],
    [8_000, 24_000],
  ])('converts %i Hz to %i Hz in pieces without clicks and at the same volume', async (from, to) => {
    const resampler = await Resampler.create(from, to);
    const audio = sine(440, from, 1_000);
    const piece = from / 50;
    const converted: number[] = [];
    for (let at = 0; at < audio.length; at += piece)
      converted.push(...resampler.push(audio.subarray(at, at + piece)));
    resampler.close();
    const middle = Int16Array.from(converted).subarray(to / 10, converted.length - to / 10);
    expect(converted.length).toBeGreaterThan(to * 0.97);
    expect(loudness(middle)).toBeCloseTo(10_000 / Math.SQRT2, -2);
    // No steeper than the sine itself.
    expect(steepest(middle)).toBeLessThan(1.05 * 10_000 * ((2 * Math.PI * 440) / to));
  });

  it('removes what the lower rate cannot carry', async () => {
    const resampler = await Resampler.create(24_000, 8_000);
    expect(loudness(resampler.push(sine(6_000, 24_000, 500)))).toBeLessThan(300);
    resampler.close();
  });

  it('passes audio of the same rate through', async () => {
    const resampler = await Resampler.create(8_000, 8_000);
    expect([...resampler.push(Int16Array.of(1, 2))]).toEqual([1, 2]);
  });
});
