import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AudioLineEvent } from '#src/modules/media/audio-line.js';
import { parseMediaStreamFrame } from './media-stream-frames.js';
import { MediaStreamLine } from './media-stream-line.js';
import { FakeStreamSocket } from './media-stream-socket.fake.js';

const frame = (value: unknown) => parseMediaStreamFrame(JSON.stringify(value));

describe('parseMediaStreamFrame', () => {
  it('reads the time of audio as text and as a number', () => {
    const media = { payload: 'AP8=' };
    const audio = Buffer.of(0, 255);
    expect(frame({ event: 'media', media: { ...media, timestamp: '40' } })).toEqual({
      kind: 'audio',
      audio,
      timestampMs: 40,
    });
    expect(frame({ event: 'media', media: { ...media, timestamp: 40 } })).toMatchObject({ timestampMs: 40 });
    for (const timestamp of [undefined, 'soon', -20, { toString: 1 }]) {
      expect(frame({ event: 'media', media: { ...media, timestamp } })).toMatchObject({ timestampMs: null });
    }
  });

  it('treats a format without numbers as another format', () => {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: { toString: 1 }, channels: [1] };
    expect(frame({ event: 'start', streamSid: 'MZ1', start: { mediaFormat } })).toMatchObject({
      isTelephoneAudio: false,
    });
  });

  it('leaves out what is played to the customer', () => {
    expect(frame({ event: 'media', media: { track: 'outbound', payload: 'AP8=' } })).toEqual({
      kind: 'none',
    });
  });

  it.each([
    ['audio that is not base64', { event: 'media', media: { payload: 'AP8' } }],
    ['audio with foreign characters', { event: 'media', media: { payload: 'AP*=' } }],
    ['no audio', { event: 'media', media: { payload: '' } }],
    ['a start without a name', { event: 'start', start: {} }],
    ['a mark without a name', { event: 'mark', mark: {} }],
    ['two keys', { event: 'dtmf', dtmf: { digit: '12' } }],
    ['no known event', { event: 'toString' }],
    ['a list', []],
    ['null', null],
  ])('treats %s as malformed', (_case, value) => {
    expect(frame(value)).toBeNull();
  });
});

describe('2,000 random frames', () => {
  let state = 2_026;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const VALUES = [
    null,
    true,
    0,
    -1,
    1e300,
    '',
    'x',
    '7',
    'AP8=',
    '\u0000',
    [],
    ['x'],
    {},
    { payload: 7 },
    { digit: '5' },
  ];
  const EVENTS = ['connected', 'start', 'media', 'mark', 'dtmf', 'clear', 'constructor', 7, null];
  const NAMES = ['start', 'media', 'mark', 'dtmf', 'stop', 'streamSid', '__proto__'];
  const FIELDS = ['payload', 'timestamp', 'track', 'name', 'digit', 'mediaFormat', 'streamSid'];
  const bytes = () => Buffer.from(Array.from({ length: random(300) }, () => random(256))).toString('latin1');
  const inside = () => Object.fromEntries(FIELDS.map((name) => [name, oneOf(VALUES)]));
  const odd = (): unknown => {
    if (random(4) === 0) return bytes();
    const named = NAMES.map((name) => [name, random(3) === 0 ? oneOf(VALUES) : inside()]);
    return JSON.stringify({ ...Object.fromEntries(named), event: oneOf(EVENTS) }).slice(
      0,
      random(5) ? undefined : 40,
    );
  };

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('neither end the line nor change the audio that follows, and are logged once', () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const carrier = new FakeStreamSocket();
    const line = new MediaStreamLine(carrier.socket);
    const events: AudioLineEvent[] = [];
    line.onEvent((event) => events.push(event));
    carrier.starts();
    for (let count = 0; count < 2_000; count += 1) {
      const text = odd();
      // A start of another format ends the line, as it should.
      if (!String(text).includes('"event":"start"')) carrier.receives(text, random(10) === 0);
      jest.advanceTimersByTime(10);
    }
    expect(line.open).toBe(true);
    const known = events.every(
      (event) => event.kind !== 'closed' && (event.kind !== 'audio' || event.audio.length > 0),
    );
    expect(known).toBe(true);
    expect(warnings).toHaveBeenCalledTimes(1);
    events.length = 0;
    carrier.media(Buffer.of(1, 2, 3));
    expect(events.at(-1)).toEqual({ kind: 'audio', audio: Buffer.of(1, 2, 3) });
    line.close();
  });
});
