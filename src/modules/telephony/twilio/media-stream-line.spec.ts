import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AudioLineEvent } from '#src/modules/media/audio-line.js';
import { MediaStreamLine } from './media-stream-line.js';
import { FakeStreamSocket } from './media-stream-socket.fake.js';

const WORD = Buffer.from(Array.from({ length: 160 }, (_, index) => index));

let carrier: FakeStreamSocket;
let line: MediaStreamLine;
let events: AudioLineEvent[];

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  carrier = new FakeStreamSocket();
  line = new MediaStreamLine(carrier.socket);
  events = [];
});

afterEach(() => {
  line.close();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const listen = () => line.onEvent((event) => events.push(event));
const heard = () =>
  Buffer.concat(events.map((event) => (event.kind === 'audio' ? event.audio : Buffer.of())));
const silence = (ms: number) => Buffer.alloc(ms * 8, 0xff);
const kinds = () => events.map(({ kind }) => kind);

describe('MediaStreamLine', () => {
  it("forwards the customer's audio byte by byte, with marks and keys in their order", async () => {
    listen();
    carrier.starts();
    expect(await line.started).toBe(true);
    carrier.media(WORD, 0);
    carrier.receives({ event: 'mark', mark: { name: 'a:1' } });
    carrier.receives({ event: 'dtmf', dtmf: { track: 'inbound_track', digit: '#' } });
    carrier.media(Buffer.of(0, 255), 20);
    expect(events).toEqual([
      { kind: 'audio', audio: WORD },
      { kind: 'mark', name: 'a:1' },
      { kind: 'digit', digit: '#' },
      { kind: 'audio', audio: Buffer.of(0, 255) },
    ]);
  });

  it('plays audio byte by byte, in frames that any carrier accepts, with marks and clears between', () => {
    carrier.starts();
    const audio = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251));
    line.play(audio);
    line.mark('b:2');
    line.clear();
    const payloads = carrier.sent.flatMap(({ media }) =>
      media ? [(media as { payload: string }).payload] : [],
    );
    expect(payloads.map((payload) => payload.length <= 32_000)).toEqual([true, true]);
    expect(Buffer.concat(payloads.map((payload) => Buffer.from(payload, 'base64')))).toEqual(audio);
    expect(carrier.sent.slice(-2)).toEqual([
      { event: 'mark', mark: { name: 'b:2' }, streamSid: 'MZ1' },
      { event: 'clear', streamSid: 'MZ1' },
    ]);
  });

  it('sends nothing before the stream has an id, nor after its end', () => {
    line.play(WORD);
    carrier.starts();
    carrier.ends();
    line.play(WORD);
    line.mark('late');
    expect(carrier.sent).toEqual([]);
  });

  it('inserts silence for audio that the carrier omits, five seconds at most', () => {
    listen();
    carrier.starts();
    carrier.media(WORD, 40);
    carrier.media(WORD, 160);
    expect(heard()).toEqual(Buffer.concat([WORD, silence(100), WORD]));
    expect(events.every((event) => event.kind === 'audio' && event.audio.length === 160)).toBe(true);
    events = [];
    carrier.media(WORD, 60_000);
    expect(heard()).toEqual(Buffer.concat([silence(5_000), WORD]));
    events = [];
    carrier.media(WORD, 60_020);
    expect(heard()).toEqual(WORD);
  });

  it('inserts silence while nothing arrives, and not again when the audio continues', () => {
    listen();
    carrier.starts();
    carrier.media(WORD, 0);
    jest.advanceTimersByTime(350);
    expect(heard()).toEqual(WORD);
    jest.advanceTimersByTime(151);
    expect(heard()).toEqual(Buffer.concat([WORD, silence(500)]));
    carrier.media(WORD, 720);
    expect(heard()).toEqual(Buffer.concat([WORD, silence(700), WORD]));
    jest.advanceTimersByTime(60_001);
    expect(heard()).toHaveLength(2 * WORD.length + silence(5_700).length);
  });

  it('keeps late audio, after the silence that replaced it', () => {
    listen();
    carrier.starts();
    carrier.media(WORD, 0);
    jest.advanceTimersByTime(501);
    carrier.media(WORD, 20);
    carrier.media(WORD, 40);
    expect(heard()).toEqual(Buffer.concat([WORD, silence(500), WORD, WORD]));
  });

  it('does not split a word whose audio is 380 ms late', () => {
    listen();
    carrier.starts();
    carrier.media(WORD, 0);
    jest.advanceTimersByTime(380);
    for (let at = 20; at <= 380; at += 20) carrier.media(WORD, at);
    expect(heard()).toEqual(Buffer.concat(Array.from({ length: 20 }, () => WORD)));
  });

  it('ignores audio that the carrier sends twice', () => {
    listen();
    carrier.starts();
    for (const at of [20, 20, 40, 20, 40, 60]) carrier.media(WORD, at);
    expect(heard()).toEqual(Buffer.concat([WORD, WORD, WORD]));
  });

  it('accepts audio without times as it arrives', () => {
    listen();
    carrier.starts();
    carrier.media(WORD);
    carrier.media(WORD);
    expect(heard()).toEqual(Buffer.concat([WORD, WORD]));
  });

  it('buffers what arrives before a listener: ten seconds of audio, and every key', () => {
    carrier.starts();
    carrier.receives({ event: 'dtmf', dtmf: { digit: '1' } });
    for (let at = 0; at < 12_000; at += 20) {
      carrier.media(WORD, at);
      jest.advanceTimersByTime(20);
    }
    listen();
    expect(kinds()).toHaveLength(500);
    expect(events[0]).toEqual({ kind: 'digit', digit: '1' });
  });

  it('accepts 200 frames a second, and ignores what exceeds them', () => {
    listen();
    carrier.starts();
    for (let count = 0; count < 1_000; count += 1) carrier.receives({ event: 'dtmf', dtmf: { digit: '1' } });
    expect(kinds()).toHaveLength(398);
    jest.advanceTimersByTime(1_000);
    events = [];
    for (let count = 0; count < 1_000; count += 1) carrier.receives({ event: 'dtmf', dtmf: { digit: '2' } });
    expect(events.filter(({ kind }) => kind === 'digit')).toHaveLength(200);
    expect(line.open).toBe(true);
  });

  it('disconnects a carrier that reads nothing', () => {
    listen();
    carrier.starts();
    carrier.bufferedAmount = 3 * 1024 * 1024;
    line.play(WORD);
    expect(events).toEqual([{ kind: 'closed' }]);
    expect(carrier.isTerminated).toBe(true);
  });

  it.each([
    ['stops the stream', () => carrier.receives({ event: 'stop', stop: { callSid: 'CA1' } })],
    ['loses the socket', () => carrier.ends()],
    ['breaks the rules of the socket', () => carrier.emit('error', new Error('WS_ERR'))],
  ])('closes once when the carrier %s', (_case, end) => {
    listen();
    carrier.starts();
    end();
    carrier.ends();
    carrier.media(WORD);
    jest.advanceTimersByTime(10_000);
    expect(events).toEqual([{ kind: 'closed' }]);
    expect(line.open).toBe(false);
  });

  it('refuses audio of another format', async () => {
    carrier.starts({ encoding: 'audio/x-l16', sampleRate: 16000, channels: 1 });
    expect(await line.started).toBe(false);
    expect(carrier.isTerminated).toBe(true);
  });

  it('disconnects a carrier that never sends the start frame', async () => {
    carrier.receives({ event: 'connected' });
    jest.advanceTimersByTime(5_001);
    expect(await line.started).toBe(false);
    expect(carrier.isTerminated).toBe(true);
  });

  it('ends by closing the socket, and terminates one that stays open', () => {
    carrier.starts();
    line.end('goodbye');
    jest.advanceTimersByTime(1);
    expect(carrier.closedWith).toBe(1000);
    expect(carrier.isTerminated).toBe(false);
    jest.advanceTimersByTime(5_000);
    expect(carrier.isTerminated).toBe(true);
  });

  it('moves to another process when all is played, or at the latest after the limit', async () => {
    carrier.starts();
    line.play(Buffer.alloc(8_000));
    const handedOver = line.moveToOtherProcess(3_000);
    await jest.advanceTimersByTimeAsync(990);
    expect(carrier.closedWith).toBeNull();
    await jest.advanceTimersByTimeAsync(20);
    await handedOver;
    expect(carrier.closedWith).toBe(1001);
    line.play(Buffer.alloc(80_000));
    carrier.closedWith = null;
    void line.moveToOtherProcess(3_000);
    await jest.advanceTimersByTimeAsync(3_010);
    expect(carrier.closedWith).toBe(1001);
  });

  it('refuses a second socket of the same document', () => {
    const other = new FakeStreamSocket();
    line.resume(other.socket);
    expect(other.closedWith).toBe(1008);
    expect(line.open).toBe(true);
  });

  it('presses keys as tones', () => {
    carrier.starts();
    line.sendDigits('1w#');
    const [sent] = carrier.sent;
    const media = sent?.['media'] as { payload: string } | undefined;
    expect(Buffer.from(media?.payload ?? '', 'base64')).toHaveLength(8 * (200 + 500 + 200));
  });
});
