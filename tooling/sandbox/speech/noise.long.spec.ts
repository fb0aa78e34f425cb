import { describe, expect, it } from '@jest/globals';
import { activeRms, backgroundSound, mixAtSnr, NOISES, rms } from './noise.js';
import { syntheticVoice } from './synthetic-voice.js';
import { recogniseTones, toneSpeech } from './tones.js';

const RATE = 8_000;
const options = { sampleRate: RATE, samples: RATE * 3 };

describe('backgroundSound', () => {
  it.each(NOISES)('makes %s of the level 1, the same for each seed', (noise) => {
    const sound = backgroundSound(noise, options);
    const level = rms(noise === 'clicks' ? sound.filter((sample) => sample !== 0) : sound);
    expect(level).toBeCloseTo(1, 3);
    expect(backgroundSound(noise, options)).toEqual(sound);
    if (noise !== 'clicks') expect(backgroundSound(noise, { ...options, seed: 2 })).not.toEqual(sound);
  });

  it('overlays recordings where there are some', () => {
    const voices = [1, 2].map((seed) => syntheticVoice({ sampleRate: RATE, seconds: 1, seed }));
    expect(backgroundSound('babble', { ...options, voices })).not.toEqual(backgroundSound('babble', options));
  });
});

describe('mixAtSnr', () => {
  it.each([20, 0, -5])('adds the sound at %i dB', (snrDb) => {
    const speech = syntheticVoice({ sampleRate: RATE, seconds: 3, level: 1_000 });
    const mixed = mixAtSnr(speech, backgroundSound('white', options), snrDb);
    const added = Int16Array.from(mixed, (sample, at) => sample - (speech[at] ?? 0));
    expect(20 * Math.log10(activeRms(speech) / rms(added))).toBeCloseTo(snrDb, 0);
  });

  it.each(NOISES)('leaves the tones of the sandbox recognisable: %s at 20 dB', (noise) => {
    const speech = toneSpeech('Hello there.', RATE);
    const sound = backgroundSound(noise, { sampleRate: RATE, samples: speech.length });
    expect(recogniseTones(mixAtSnr(speech, sound, 20), RATE)).toEqual([
      { text: 'Hello there.', complete: true },
    ]);
  });
});
