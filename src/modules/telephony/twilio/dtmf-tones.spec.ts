import { describe, expect, it } from '@jest/globals';
import { decodeMulaw } from '#src/modules/media/mulaw.js';
import { dtmfTones } from './dtmf-tones.js';

const FREQUENCIES = [697, 770, 852, 941, 1_209, 1_336, 1_477, 1_633];

/** The frequencies of the keypad that are loud in a piece of audio (Goertzel). */
function loudIn(audio: Buffer): number[] {
  const samples = decodeMulaw(audio);
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0);
  return FREQUENCIES.filter((frequency) => {
    const factor = 2 * Math.cos((2 * Math.PI * frequency) / 8_000);
    let [last, before] = [0, 0];
    for (const sample of samples) [last, before] = [sample + factor * last - before, last];
    const power = last * last + before * before - factor * last * before;
    return power / samples.length > energy / 5;
  });
}

describe('dtmfTones', () => {
  it.each([
    ['1', [697, 1_209]],
    ['5', [770, 1_336]],
    ['0', [941, 1_336]],
    ['#', [941, 1_477]],
    ['D', [941, 1_633]],
  ])('plays the two frequencies of %s for 100 ms, then 100 ms of silence', (key, frequencies) => {
    const audio = dtmfTones(key);
    expect(audio).toHaveLength(1_600);
    expect(loudIn(audio.subarray(0, 800))).toEqual(frequencies);
    expect(audio.subarray(800).every((byte) => byte === 0xff)).toBe(true);
  });

  it('waits where a wait stands, and leaves out what is no key', () => {
    expect(dtmfTones('w')).toEqual(Buffer.alloc(4_000, 0xff));
    expect(dtmfTones('W')).toHaveLength(8_000);
    expect(dtmfTones('x\u{1f600}toString')).toHaveLength(0);
    expect(dtmfTones('1'.repeat(1_000))).toHaveLength(300 * 1_600);
  });
});
