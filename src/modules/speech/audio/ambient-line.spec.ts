import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AudioLineEvent } from '#src/modules/media/audio-line.js';
import { FakeAudioLine } from '../speech.fake.js';
import { fromPcm } from './audio-format.js';
import { AmbientLine } from './ambient-line.js';

const MS_BYTES = 48;

let line: FakeAudioLine;
let events: AudioLineEvent[];

beforeEach(() => {
  jest.useFakeTimers();
  line = new FakeAudioLine();
  events = [];
});
afterEach(() => void jest.useRealTimers());

function open(volume = 0.5) {
  const sounding = AmbientLine.wrap(line, 'cafe', volume);
  sounding.onEvent((event) => events.push(event));
  return sounding;
}

const sentMs = (): number => line.audio.reduce((sum, { length }) => sum + length, 0) / MS_BYTES;
const samples = (): number[] => line.audio.flatMap((audio) => [...fromPcm(audio)]);

describe('AmbientLine', () => {
  it.each([
    ['off', 1],
    ['cafe', 0],
  ])('leaves a line without sound as it is (%s, %d)', (kind, volume) => {
    expect(AmbientLine.wrap(line, kind, volume)).toBe(line);
  });

  it('plays the sound in pauses, shortly before it is heard', async () => {
    open();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sentMs()).toBe(1_150);
    expect(Math.max(...samples())).toBeGreaterThan(100);
  });

  it('mixes it into speech, whose marks stay in their places and whose loudest samples stay in range', () => {
    const sounding = open(1);
    sounding.play(Buffer.alloc(20 * MS_BYTES, Buffer.of(0xff, 0x7f)));
    sounding.mark('said');
    jest.advanceTimersByTime(50);
    const at = line.sent.indexOf('said');
    expect(line.sent.slice(0, at)).toEqual([2_400, 2_400, 2_400, 960]);
    expect(Math.max(...samples())).toBe(32_767);
    expect(Math.min(...samples().slice(-960))).toBeGreaterThan(-10_000);
  });

  it('sends speech as far ahead as it is given, and no more sound before it is needed', () => {
    const sounding = open();
    sounding.play(Buffer.alloc(500 * MS_BYTES));
    sounding.mark('said');
    jest.advanceTimersByTime(50);
    expect([sentMs(), line.sent.at(-1)]).toEqual([150 + 500, 'said']);
    jest.advanceTimersByTime(450);
    expect(sentMs()).toBe(150 + 500);
  });

  it('returns the marks of audio that is cleared before it is sent, and continues with the sound', () => {
    const sounding = open();
    sounding.play(Buffer.alloc(1_000 * MS_BYTES));
    sounding.mark('said');
    sounding.clear();
    expect(events).toEqual([{ kind: 'mark', name: 'said' }]);
    expect(line.clears).toBe(1);
    jest.advanceTimersByTime(500);
    expect(sentMs()).toBe(150 + 150 + 500);
  });

  it('is silent while keys are pressed', () => {
    const sounding = open();
    sounding.sendDigits('1w');
    jest.advanceTimersByTime(750);
    expect([line.digits, sentMs()]).toEqual(['1w', 150 + 50]);
  });

  it.each<['its end' | 'that of the line']>([['its end'], ['that of the line']])('stops at %s', (whose) => {
    const sounding = open();
    if (whose === 'its end') sounding.end('goodbye');
    else line.receive({ kind: 'closed' });
    jest.advanceTimersByTime(1_000);
    expect([sentMs(), jest.getTimerCount()]).toEqual([150, 0]);
  });
});
