import { describe, expect, it } from '@jest/globals';
import { backgroundSound, type Noise } from '../../../tooling/sandbox/speech/noise.js';
import { syntheticVoice } from '../../../tooling/sandbox/speech/synthetic-voice.js';
import { EnergyVoiceDetector } from './audio/energy-voice-detector.js';
import { VoiceTurnDetector } from './voice-activity.js';

const RATE = 8_000;
const samples = (ms: number, of: (at: number) => number): Int16Array =>
  Int16Array.from({ length: (RATE * ms) / 1000 }, (_, at) => of(at));
const silence = (ms: number): Int16Array => samples(ms, () => 0);
const tone = (ms: number, amplitude: number): Int16Array =>
  samples(ms, (at) => amplitude * Math.sin((2 * Math.PI * 300 * at) / RATE));

function noise(ms: number, amplitude: number): Int16Array {
  let seed = 7;
  return samples(ms, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed / 2_147_483_647 - 0.5) * 2 * amplitude;
  });
}

/** Milliseconds that were taken for voice in each of these parts. */
function voiceMs(...parts: Int16Array[]): number[] {
  let ms = 0;
  const detection = new EnergyVoiceDetector().open(RATE, (isVoice, length) => (ms += isVoice ? length : 0));
  return parts.map((part) => {
    ms = 0;
    for (let at = 0; at < part.length; at += 100) detection.push(part.subarray(at, at + 100));
    return ms;
  });
}

describe('EnergyVoiceDetector', () => {
  it('distinguishes loud and quiet voices from silence', () => {
    expect(voiceMs(silence(500), tone(500, 8_000), silence(500), tone(500, 400), silence(500))).toEqual([
      0, 500, 0, 500, 0,
    ]);
  });

  it('treats a faint noise as silence', () => {
    expect(voiceMs(noise(1_000, 300))).toEqual([0]);
  });

  it('adapts to the background, and detects a voice over it', () => {
    const [, learned, voice, after] = voiceMs(
      noise(20_000, 1_500),
      noise(1_000, 1_500),
      tone(500, 9_000),
      noise(500, 1_500),
    );
    expect([learned, voice, after]).toEqual([0, 500, 0]);
  });

  it.each<[Noise, number]>([
    ['white', 400],
    ['white', 1_500],
    ['car', 400],
    ['car', 1_500],
  ])('takes steady %s noise of level %i for voice for 300 ms at most', (kind, level) => {
    const sound = backgroundSound(kind, { sampleRate: RATE, samples: RATE * 20 }).map(
      (sample) => sample * level,
    );
    const steady = Int16Array.from(sound);
    const [begin = 0, rest = 0] = voiceMs(steady.subarray(0, RATE), steady.subarray(RATE));
    expect(begin).toBeLessThanOrEqual(300);
    // Low-pitched noise swells.
    expect(rest).toBeLessThanOrEqual(200);
  });

  it.each([
    [400, 2_600],
    [1_500, 6_000],
  ])('detects a voice over steady noise of level %i', (level, voiceLevel) => {
    const sound = backgroundSound('white', { sampleRate: RATE, samples: RATE * 4 });
    const voice = syntheticVoice({ sampleRate: RATE, seconds: 1, level: voiceLevel });
    const mixed = Int16Array.from(sound, (sample, at) => sample * level + (voice[at - 2 * RATE] ?? 0));
    const [, before, during, after] = voiceMs(
      mixed.subarray(0, RATE),
      mixed.subarray(RATE, 2 * RATE),
      mixed.subarray(2 * RATE, 3 * RATE),
      mixed.subarray(3 * RATE),
    );
    expect(before).toBe(0);
    expect(during).toBeGreaterThanOrEqual(400);
    expect(after).toBe(0);
  });

  it.each([0, 5_000])('hears noise that begins after %i ms for a second, not longer', (quietMs) => {
    const sound = backgroundSound('white', { sampleRate: RATE, samples: RATE * 4, seed: 3 });
    const steady = Int16Array.from(sound, (sample) => sample * 1_000);
    const [, heard = 0] = voiceMs(silence(quietMs), steady);
    expect(heard).toBeLessThanOrEqual(1_100);
  });

  it('detects a voice that does not pause for ten seconds', () => {
    expect(voiceMs(silence(500), tone(10_000, 6_000))).toEqual([0, 10_000]);
  });
});

describe('VoiceTurnDetector', () => {
  function turns(...frames: [isVoice: boolean, ms: number][]): (string | number)[] {
    const told: (string | number)[] = [];
    const of = new VoiceTurnDetector(() => 600, {
      speechStarted: () => told.push('began'),
      speechContinued: (ms) => told.push(ms),
      speechEnded: () => told.push('ended'),
    });
    for (const [isVoice, ms] of frames) for (let at = 0; at < ms; at += 20) of.addFrame(isVoice, 20);
    return told;
  }

  it('begins after 60 ms of voice and ends after the silence of a turn', () => {
    expect(turns([true, 80], [false, 580])).toEqual(['began', 60, 80]);
    expect(turns([true, 80], [false, 600])).toEqual(['began', 60, 80, 'ended']);
  });

  it('excludes pauses from the length of the voice, and counts the next turn anew', () => {
    expect(turns([true, 60], [false, 300], [true, 20])).toEqual(['began', 60, 80]);
    expect(turns([true, 60], [false, 600], [true, 60])).toEqual(['began', 60, 'ended', 'began', 60]);
  });

  it('does not treat clicks as voice', () => {
    expect(turns([true, 40], [false, 40], [true, 40], [false, 40])).toEqual([]);
  });

  it('ends a turn although clicks follow the voice', () => {
    const click: [boolean, number][] = [
      [false, 280],
      [true, 20],
    ];
    expect(turns([true, 60], ...click, ...click, [false, 20])).toEqual(['began', 60, 80, 100, 'ended']);
  });

  it('does not count silence before a turn that begins with clicks', () => {
    expect(turns([false, 2_000], [true, 40], [false, 20], [true, 40], [false, 580])).toEqual(['began', 60]);
  });
});
