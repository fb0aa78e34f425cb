import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { playFor } from '../speech/speech.fake.js';
import { ProviderCall } from './provider-call.fake.js';

let call: ProviderCall;

beforeEach(async () => {
  jest.useFakeTimers();
  call = await ProviderCall.start(3);
});
afterEach(() => {
  call.end();
  jest.useRealTimers();
});

async function speak(ms: number): Promise<void> {
  call.detector.voice(ms);
  await playFor(call.line, 20);
}

describe('with min_interrupt_words of 3, an assistant with speech providers', () => {
  it.each([
    ['stops at a voice that is long enough for three words', 1_800, 1],
    ['speaks on over a shorter voice', 1_700, 0],
  ])('%s', async (_, ms, stops) => {
    await speak(ms);
    expect(call.line.clears).toBe(stops);
  });

  it.each([
    ['stops at three words while they are spoken', 'No, wait, please', 1],
    ['speaks on over two words', 'No, wait', 0],
    ['speaks on over the words of a listener', 'Yes, okay, mhm', 0],
  ])('%s', async (_, text, stops) => {
    await speak(600);
    call.transcriber.emit({ kind: 'partial', text });
    expect(call.line.clears).toBe(stops);
  });

  it('continues at the word where a long voice has had fewer words', async () => {
    await speak(2_000);
    expect(call.line.clears).toBe(1);
    call.detector.silence(600);
    call.transcriber.emit({ kind: 'final', text: 'Well, well.' });
    await playFor(call.line, 6_000);
    expect(call.spoken).toBe(ProviderCall.GREETING);
  });

  it('answers three words', async () => {
    await speak(2_000);
    call.detector.silence(600);
    call.transcriber.emit({ kind: 'final', text: 'When do you open?' });
    await playFor(call.line, 6_000);
    expect(call.spoken).toMatch(/^Good morning.* We open at nine\.$/);
    expect(call.spoken).not.toContain('help you');
  });
});
