import { beforeEach, describe, expect, it } from '@jest/globals';
import { SilenceLimit } from './silence-limit.js';

let now: number;
let limit: SilenceLimit;

beforeEach(() => {
  now = 0;
  limit = new SilenceLimit(() => now, 0);
});

/** Nothing comes until the voice in use is given up. */
function nextVoiceAtLimit(): void {
  now += limit.remainingMs;
  limit.recordVoiceRequest();
}

describe('SilenceLimit', () => {
  it('allows the first voice 1.2 s after the queued audio of the line, and each next one 0.8 s', () => {
    limit = new SilenceLimit(() => now, 500);
    expect(limit.remainingMs).toBe(1_700);
    nextVoiceAtLimit();
    expect([now, limit.remainingMs]).toEqual([1_700, 800]);
    nextVoiceAtLimit();
    // The third voice is asked after 2 s of silence.
    expect([now, limit.remainingMs]).toEqual([2_500, 800]);
  });

  it('allows a voice that has spoken 0.6 s after the end of its audio', () => {
    now = 300;
    limit.recordSound(1_000);
    expect(limit.remainingMs).toBe(1_600);
    nextVoiceAtLimit();
    expect([now, limit.remainingMs]).toEqual([1_900, 800]);
  });

  it('allows a voice that is the last one 2.5 s from the end of the audio of the line, or from its request', () => {
    limit = new SilenceLimit(() => now, 500);
    expect(limit.lastVoiceMs).toBe(3_000);
    nextVoiceAtLimit();
    expect(limit.lastVoiceMs).toBe(2_500);
  });

  it('counts the next voice from its request, and a second request of one voice with its first one', () => {
    now = 400;
    expect(limit.remainingMs).toBe(800);
    limit.recordVoiceRequest();
    expect(limit.remainingMs).toBe(800);
  });

  it('adds up all silences of a sentence: the third voice is requested after at most 2 s', () => {
    now = 1_100;
    limit.recordSound(2_000);
    // 0.1 s of the 1.2 s of the first voice is left.
    expect(limit.remainingMs).toBe(2_100);
    nextVoiceAtLimit();
    now += 700;
    limit.recordSound(0);
    expect(limit.remainingMs).toBe(100);
    nextVoiceAtLimit();
    expect(now).toBe(2_000 + 2_000);
  });
});
