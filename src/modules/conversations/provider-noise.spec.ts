import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { playFor } from '../speech/speech.fake.js';
import { ProviderCall } from './provider-call.fake.js';

const { GREETING, ANSWER } = ProviderCall;

let call: ProviderCall;

beforeEach(async () => {
  jest.useFakeTimers();
  call = await ProviderCall.start();
});
afterEach(() => {
  call.end();
  jest.useRealTimers();
});

/** Music, in which a loudness detector finds no end. */
async function music(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 100) {
    call.detector.voice(100);
    await playFor(call.line, 100);
  }
}

/** @returns milliseconds until the assistant is heard, when it takes half a second to transcribe the music so far */
async function silenceInMusic(): Promise<number> {
  const log = call.transcriber.streams[0]?.log ?? [];
  const sent = call.line.audio.length;
  let silentMs = 0;
  for (; call.line.audio.length === sent && silentMs < 20_000; silentMs += 100) {
    await music(100);
    if (log.at(-1) !== 'so far') continue;
    log.push('transcribed');
    setTimeout(() => call.transcriber.emit({ kind: 'partial', text: '[Music]' }), 500);
  }
  return silentMs;
}

const requests = (): number =>
  call.transcriber.streams[0]?.log.filter((entry) => entry === 'so far').length ?? 0;

describe('Music over the assistant, with a transcriber that sends no words before the end', () => {
  it('silences it for less than 3 s, by one request', async () => {
    await music(600);
    expect(call.line.clears).toBe(1);
    expect(await silenceInMusic()).toBeLessThan(3_000);
    await music(30_000);
    expect([call.spoken, call.line.clears, requests()]).toEqual([GREETING, 1, 1]);
  });

  it('delays an answer for less than 3 s, by one request', async () => {
    await playFor(call.line, 5_000);
    call.detector.voice(1_000);
    call.detector.silence(600);
    setTimeout(() => call.transcriber.emit({ kind: 'final', text: 'When do you open?' }), 300);
    expect(await silenceInMusic()).toBeLessThan(3_000);
    await music(30_000);
    expect([call.spoken, requests()]).toEqual([`${GREETING} ${ANSWER}`, 1]);
  });

  it('goes on speaking when the first part that is transcribed has no words', async () => {
    await music(25_000);
    expect(call.line.clears).toBe(1);
    call.transcriber.emit({ kind: 'partial', text: '[Music]' });
    await music(1_000);
    await playFor(call.line, 6_000);
    expect(call.spoken).toBe(GREETING);
  });
});
