import { describe, expect, it } from '@jest/globals';
import { rms } from '../speech/noise.js';
import { decodeMulaw, encodeMulaw } from '../speech/mulaw.js';
import { encodeSpeech, FRAME_BYTES, SILENCE, speechBytes, SpeechDecoder } from '../speech/speech-code.js';
import { LineBackground } from './background.js';
import { NO_TRAITS, readLineTraits, TraitError } from './line-traits.js';
import { ReturnedMarks } from './returned-marks.js';
import { Uplink } from './uplink.js';

const SILENT = Buffer.alloc(FRAME_BYTES, SILENCE);

describe('readLineTraits', () => {
  it('adds what is not given', () => {
    expect(readLineTraits({})).toEqual(NO_TRAITS);
    expect(readLineTraits(NO_TRAITS)).toEqual(NO_TRAITS);
    const marks = { late_ms: 800, lost: 0, doubled: 0 };
    expect(readLineTraits({ jitter_ms: 60, marks: { late_ms: 800 } })).toEqual({
      ...NO_TRAITS,
      jitter_ms: 60,
      marks,
    });
  });

  it.each([
    [{ noise: 'car' }, 'traits has no noise'],
    [
      { background: [{ sound: 'rain', level: -30 }] },
      /^traits\/background\/0\/sound must be one of white, car,/,
    ],
    [{ background: [{ sound: 'car' }] }, "traits/background/0 must have required property 'level'"],
    [{ background: [{ sound: 'car', level: -10 }] }, 'traits/background/0/level must be <= -20'],
    [{ second_voice: { level: -61 } }, 'traits/second_voice/level must be >= -60'],
    [{ jitter_ms: 501 }, 'traits/jitter_ms must be <= 500'],
    [{ bursts: { every_ms: 1_000, lasts_ms: 1_000 } }, 'traits/bursts/lasts_ms must be < every_ms'],
    [{ clock_drift: 2.5 }, 'traits/clock_drift must be <= 2'],
    [{ marks: { lost: 2 } }, 'traits/marks/lost must be <= 1'],
    [{ marks: { late_ms: '800' } }, 'traits/marks/late_ms must be number'],
    [[], 'traits must be object'],
  ])('refuses %j', (given, message) => {
    expect(() => readLineTraits(given)).toThrow(TraitError);
    expect(() => readLineTraits(given)).toThrow(message);
  });
});

describe('LineBackground', () => {
  const frames = (given: object, count = 600): Buffer[] => {
    const background = new LineBackground(readLineTraits(given));
    return Array.from({ length: count }, (_, number) => background.under(SILENT, number));
  };
  const level = (given: object): number => {
    const samples = decodeMulaw(Buffer.concat(frames(given)));
    return 20 * Math.log10(rms(samples) / 32_768);
  };

  it('leaves the audio of a line without traits as it is', () => {
    expect(new LineBackground(NO_TRAITS).under(SILENT, 7)).toBe(SILENT);
  });

  it.each(['white', 'car', 'babble', 'music', 'television'])('is heard at its level: %s', (sound) => {
    expect(level({ background: [{ sound, level: -38 }] })).toBeCloseTo(-38, 0);
  });

  it('adds sounds to one another, and a second voice with pauses', () => {
    const car = { sound: 'car', level: -38 };
    expect(level({ background: [car, { sound: 'music', level: -38 }] })).toBeCloseTo(-35, 0);
    const loud = frames({ second_voice: { level: -30 } }).filter((frame) => rms(decodeMulaw(frame)) > 300);
    expect(loud.length).toBeGreaterThan(100);
    expect(loud.length).toBeLessThan(400);
  });

  it('is the same for a seed, and another one for another', () => {
    const car = { background: [{ sound: 'car', level: -38 }] };
    expect(frames(car, 5)).toEqual(frames(car, 5));
    expect(frames({ ...car, seed: 2 }, 5)).not.toEqual(frames(car, 5));
  });

  it('leaves the words recognisable', () => {
    const sounds = ['white', 'clicks', 'babble'].map((sound) => ({ sound, level: -20 }));
    const background = new LineBackground(
      readLineTraits({ background: sounds, second_voice: { level: -20 } }),
    );
    const line = [...Array(50).fill(SILENT), ...encodeSpeech('Yes, at three.'), ...Array(50).fill(SILENT)];
    const decoder = new SpeechDecoder();
    const heard = line.map((frame, number) => decoder.push(background.under(frame, number)));
    expect(heard.join('')).toBe('Yes, at three.');
  });
});

it('counts a quiet background as silence after words', () => {
  const decoder = new SpeechDecoder();
  const background = new LineBackground(readLineTraits({ background: [{ sound: 'white', level: -38 }] }));
  decoder.push(speechBytes('Hi', 10));
  for (let number = 0; number < 10; number += 1) decoder.push(background.under(SILENT, number));
  expect(decoder.silentMs).toBe(200);
});

describe('Uplink', () => {
  const sent: number[] = [];

  /** @returns for each frame of the line, the numbers of the frames that arrive then */
  function arrivals(given: object, frames: number): number[][] {
    const uplink = new Uplink(readLineTraits(given));
    return Array.from({ length: frames }, (_, frame) => {
      uplink.advance(frame);
      uplink.sendAudio(frame, () => sent.push(frame));
      return sent.splice(0);
    });
  }

  it('sends each frame at once on a line without traits', () => {
    expect(arrivals({}, 4)).toEqual([[0], [1], [2], [3]]);
  });

  it('delays frames by at most the jitter, in their order', () => {
    const all = arrivals({ jitter_ms: 60 }, 500);
    const order = all.flat();
    expect(order).toEqual([...order].sort((one, other) => one - other));
    const delays = all.flatMap((arrived, frame) => arrived.map((number) => frame - number));
    expect(new Set(delays)).toEqual(new Set([0, 1, 2, 3]));
    expect(arrivals({ jitter_ms: 60 }, 500)).toEqual(all);
  });

  it('sends the frames of a burst together, and what follows them after them', () => {
    const all = arrivals({ bursts: { every_ms: 1_000, lasts_ms: 200 } }, 101);
    expect(all.slice(40, 50).flat()).toEqual([]);
    expect(all[50]).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
    const uplink = new Uplink(readLineTraits({ bursts: { every_ms: 1_000, lasts_ms: 200 } }));
    uplink.sendAudio(45, () => sent.push(45));
    uplink.send(46, () => sent.push(46));
    expect(sent).toEqual([]);
    uplink.flush();
    expect(sent.splice(0)).toEqual([45, 46]);
  });
});

describe('ReturnedMarks', () => {
  const names = Array.from({ length: 200 }, (_, index) => `mark ${index}`);

  function returned(marks: object, until = 1_000): string[] {
    const line = new ReturnedMarks(readLineTraits({ marks }));
    line.add(names, 100);
    return Array.from({ length: until }, (_, frame) => line.take(frame)).flat();
  }

  it('returns marks at once on a line without traits', () => {
    const line = new ReturnedMarks(NO_TRAITS);
    line.add(['a', 'b'], 3);
    expect([line.take(3), line.take(4)]).toEqual([['a', 'b'], []]);
  });

  it('is late by the given time', () => {
    expect(returned({ late_ms: 800 }, 140)).toEqual([]);
    expect(returned({ late_ms: 800 }, 141)).toEqual(names);
  });

  it('loses and repeats the given shares', () => {
    expect(returned({ lost: 1 })).toEqual([]);
    expect(returned({ doubled: 1 })).toEqual([...names, ...names]);
    const kept = returned({ lost: 0.25 }).length;
    expect(kept).toBeGreaterThan(120);
    expect(kept).toBeLessThan(180);
  });
});

it('encodes samples as the nearest µ-law, and µ-law as itself', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).filter((byte) => byte !== 0x7f);
  expect([...encodeMulaw(decodeMulaw(bytes))]).toEqual([...bytes]);
  for (let sample = -32_768; sample < 32_768; sample += 11) {
    const [decoded = 0] = decodeMulaw(encodeMulaw(Int16Array.of(sample)));
    expect(Math.abs(decoded - sample)).toBeLessThanOrEqual(Math.max(4, Math.abs(sample) / 32 + 4));
  }
});
