import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AudioLineEvent } from '#src/modules/media/audio-line.js';
import { BrowserAudioLine } from './browser-audio-line.js';
import { FakeBrowserSocket } from './browser-socket.fake.js';
import { BrowserSocket } from './browser-socket.js';

/** Of 100 ms, each byte its own. */
const PIECE = 4_800;
const pieces = (count: number, first = 0) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.alloc(PIECE, first + index + 1)));

let browser: FakeBrowserSocket;
let socket: BrowserSocket;
let line: BrowserAudioLine;
let events: AudioLineEvent[];

const heard = () => Buffer.concat(events.flatMap((event) => (event.kind === 'audio' ? [event.audio] : [])));
const marks = () => events.flatMap((event) => (event.kind === 'mark' ? [event.name] : []));
const opensAgain = () => {
  const next = new FakeBrowserSocket();
  browser.emit('close', 1006);
  socket.resume(next.socket);
  return next;
};

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  browser = new FakeBrowserSocket();
  socket = new BrowserSocket(browser.socket);
  line = new BrowserAudioLine(socket);
  events = [];
  line.onEvent((event) => events.push(event));
});

afterEach(() => {
  line.release();
  socket.close('hang-up');
  jest.useRealTimers();
});

describe('audio of the customer', () => {
  it('is silence where it is the echo of what is played', () => {
    const loud = Buffer.alloc(PIECE, 0x20);
    line.play(loud);
    browser.receives(Buffer.of(1, 0, 1, 0));
    browser.receives({ type: 'played', place: loud.length });
    jest.setSystemTime(Date.now() + 1_000);
    browser.receives(Buffer.of(1, 0, 1, 0));
    expect(heard().subarray(0, 4)).toEqual(Buffer.alloc(4));
    expect(heard().subarray(-4)).toEqual(Buffer.of(1, 0, 1, 0));
  });

  it('is forwarded byte by byte, with keys, text and interruptions', () => {
    browser.receives(Buffer.of(1, 2, 3, 4));
    browser.receives({ type: 'digit', digit: '#' });
    browser.receives({ type: 'prompt', text: 'Hello' });
    browser.receives({ type: 'interrupt' });
    browser.receives(Buffer.of(5, 6));
    expect(events).toEqual([
      { kind: 'audio', audio: Buffer.of(1, 2, 3, 4) },
      { kind: 'digit', digit: '#' },
      { kind: 'text', text: 'Hello' },
      { kind: 'interrupted' },
      { kind: 'audio', audio: Buffer.of(5, 6) },
    ]);
  });

  it('is ignored where half a sample is missing, or a frame has no meaning', () => {
    browser.receives(Buffer.of());
    browser.receives(Buffer.of(1, 2, 3));
    for (const frame of [
      {},
      { type: 'played', place: 1.5 },
      { type: 'digit', digit: '12' },
      { type: 'prompt' },
    ])
      browser.receives(frame);
    expect(events).toEqual([]);
  });

  it('is buffered until a listener is registered', () => {
    const early = new FakeBrowserSocket();
    const other = new BrowserAudioLine(new BrowserSocket(early.socket));
    early.receives(Buffer.of(1, 2));
    other.onEvent((event) => events.push(event));
    other.release();
    expect(heard()).toEqual(Buffer.of(1, 2));
  });

  it('may arrive ten seconds at once, and then as fast as it is spoken', () => {
    const second = Buffer.alloc(48_000 / 4, 1);
    for (let count = 0; count < 60; count += 1) browser.receives(second);
    expect(heard()).toHaveLength(10 * 48_000);
    jest.setSystemTime(Date.now() + 2_000);
    events = [];
    for (let count = 0; count < 20; count += 1) browser.receives(second);
    expect(heard()).toHaveLength(2 * 48_000);
    expect(socket.open).toBe(true);
  });

  it('is silence while nothing comes, for five seconds at most', () => {
    browser.receives(Buffer.of(1, 2));
    jest.advanceTimersByTime(501);
    expect(heard()).toHaveLength(2 + 500 * 48);
    expect(
      heard()
        .subarray(2)
        .every((byte) => byte === 0),
    ).toBe(true);
    jest.advanceTimersByTime(60_000);
    expect(heard()).toHaveLength(2 + 5_000 * 48);
  });
});

describe('audio of the assistant', () => {
  it('is sent five seconds ahead of playback, and marks return when all before is played', () => {
    const audio = pieces(60);
    line.play(audio.subarray(0, 2 * PIECE));
    line.mark('one');
    line.play(audio.subarray(2 * PIECE));
    line.mark('two');
    expect(browser.audio).toEqual(audio.subarray(0, 50 * PIECE));
    browser.receives({ type: 'played', place: 2 * PIECE - 1 });
    expect(marks()).toEqual([]);
    browser.receives({ type: 'played', place: 2 * PIECE });
    expect(marks()).toEqual(['one']);
    expect(browser.audio).toEqual(audio.subarray(0, 52 * PIECE));
    browser.receives({ type: 'played', place: 50 * PIECE });
    expect(browser.audio).toEqual(audio);
    // Nobody has played what was not sent.
    browser.receives({ type: 'played', place: 10 ** 9 });
    expect(marks()).toEqual(['one', 'two']);
  });

  it('is reported by a mark after everything is played', () => {
    line.play(pieces(1));
    browser.receives({ type: 'played', place: PIECE });
    line.mark('one');
    expect(marks()).toEqual([]);
    jest.runAllTicks();
    expect(marks()).toEqual(['one']);
  });

  it('is discarded by `clear`, whose marks return at once', () => {
    line.play(pieces(60));
    line.mark('one');
    line.clear();
    expect(marks()).toEqual(['one']);
    expect(browser.frames).toEqual([{ type: 'clear', place: 50 * PIECE }]);
    line.play(pieces(1, 99));
    line.mark('two');
    // Of before the browser knew.
    browser.receives({ type: 'played', place: 3 * PIECE });
    browser.receives({ type: 'played', place: 50 * PIECE });
    expect(marks()).toEqual(['one']);
    browser.receives({ type: 'played', place: 51 * PIECE });
    expect(marks()).toEqual(['one', 'two']);
    expect(browser.audio.subarray(50 * PIECE)).toEqual(pieces(1, 99));
  });

  it('continues after what the browser has received when it reopens the line', () => {
    const audio = pieces(8);
    line.play(audio.subarray(0, 6 * PIECE));
    line.mark('one');
    browser.receives({ type: 'played', place: 1 * PIECE });
    const next = opensAgain();
    line.play(audio.subarray(6 * PIECE));
    expect(next.sent).toEqual([]);
    next.receives({ type: 'received', place: 4 * PIECE });
    next.receives({ type: 'played', place: 2 * PIECE });
    expect(next.audio).toEqual(audio.subarray(4 * PIECE));
    // Once only.
    next.receives({ type: 'received', place: 0 });
    expect(next.audio).toEqual(audio.subarray(4 * PIECE));
    next.receives({ type: 'played', place: 6 * PIECE });
    expect(marks()).toEqual(['one']);
  });

  it('is cleared while the line is broken: the browser is notified first', () => {
    line.play(pieces(4));
    browser.emit('close', 1006);
    line.clear();
    line.play(pieces(1, 50));
    const next = new FakeBrowserSocket();
    socket.resume(next.socket);
    expect(next.frames).toEqual([{ type: 'clear', place: 4 * PIECE }]);
    next.receives({ type: 'received', place: 2 * PIECE });
    expect(next.audio).toEqual(pieces(1, 50));
  });

  it('is shown in captions', () => {
    line.caption('assistant', 'Hello ', false);
    expect(browser.frames).toEqual([{ type: 'caption', who: 'assistant', text: 'Hello ', last: false }]);
  });

  it('ends the call with a browser that never plays anything', () => {
    line.play(Buffer.alloc(6 * 60 * 48_000));
    expect(socket.open).toBe(true);
    line.play(Buffer.alloc(2));
    expect([events, socket.closeReason]).toEqual([[{ kind: 'closed' }], 'lost']);
  });
});

it('closes once, and is silent then', () => {
  line.sendReady({ token: 'next', language: 'de-DE' });
  browser.receives({ type: 'end' });
  browser.emit('close', 1000);
  line.play(pieces(1));
  line.caption('assistant', 'x', false);
  jest.advanceTimersByTime(1_000);
  expect(events).toEqual([{ kind: 'closed' }]);
  expect(browser.sent).toHaveLength(1);
  expect(browser.frames).toEqual([{ type: 'ready', line: 'audio', token: 'next', language: 'de-DE' }]);
});

it('leaves later frames to the next line of the same socket', () => {
  line.release();
  browser.receives({ type: 'prompt', text: 'Hello' });
  const frames: string[] = [];
  socket.setListener({ frame: (data) => frames.push(String(data)), closed: () => undefined });
  expect([events, frames]).toEqual([[], ['{"type":"prompt","text":"Hello"}']]);
});

it('reports since when it is broken', () => {
  expect(line.brokenSince).toBeNull();
  browser.emit('close', 1006);
  expect(line.brokenSince).toBe(1_000_000);
});
