import { beforeEach, describe, expect, it } from '@jest/globals';
import { SpeakerPauses } from './speaker-pauses.js';

const FRAME_MS = 20;

describe('SpeakerPauses', () => {
  let audibleMs: number;
  let pauses: SpeakerPauses;
  const pass = (isVoice: boolean, ms: number): void => {
    for (let at = 0; at < ms; at += FRAME_MS) pauses.addFrame(isVoice, FRAME_MS);
  };
  /** A turn without pauses, and the assistant's answer. */
  const turn = (): void => {
    pass(true, 1_000);
    pass(false, 1_200);
    audibleMs = 3_000;
    pauses.markPlayed();
    pass(false, 3_000);
    audibleMs = 0;
  };

  beforeEach(() => {
    audibleMs = 0;
    pauses = new SpeakerPauses(600, () => audibleMs);
  });

  it('waits as long as configured for a customer who is not known', () => {
    pass(true, 1_000);
    expect(pauses.endOfTurnMs).toBe(600);
  });

  it('waits longer for a customer who went on after a pause of 0.9 s', () => {
    pass(true, 1_000);
    pass(false, 900);
    pass(true, 500);
    expect(pauses.endOfTurnMs).toBe(1_090);
  });

  it('counts the silence between words as a part of the voice after a pause', () => {
    pass(true, 1_000);
    pass(false, 900);
    const syllable = (): void => {
      pass(true, 120);
      pass(false, 100);
    };
    syllable();
    expect(pauses.endOfTurnMs).toBe(600);
    syllable();
    pass(true, 120);
    expect(pauses.endOfTurnMs).toBe(1_090);
  });

  it.each([
    ['2.5 s', 600, 2_500],
    ['the configured silence', 4_000, 4_000],
  ])('waits for at most %s', (_, baseMs, most) => {
    pauses = new SpeakerPauses(baseMs, () => 0);
    for (let times = 0; times < 3; times += 1) {
      pass(true, 1_000);
      pass(false, 2_400);
    }
    pass(true, 500);
    expect(pauses.endOfTurnMs).toBe(most);
  });

  it('takes one long pause for one of a second', () => {
    pass(true, 1_000);
    pass(false, 2_400);
    pass(true, 500);
    expect(pauses.endOfTurnMs).toBe(1_200);
  });

  it('learns nothing from a cough after a pause', () => {
    pass(true, 1_000);
    pass(false, 900);
    pass(true, 300);
    pass(false, 2_000);
    expect(pauses.endOfTurnMs).toBe(600);
  });

  it('forgets a pause in some turns', () => {
    pass(true, 1_000);
    pass(false, 900);
    turn();
    for (let turns = 0; turns < 3; turns += 1) turn();
    expect(pauses.endOfTurnMs).toBeLessThan(650);
  });

  it('waits for half of the configured silence once the customer is known to speak without pauses', () => {
    turn();
    turn();
    expect(pauses.endOfTurnMs).toBe(600);
    turn();
    turn();
    expect(pauses.endOfTurnMs).toBe(300);
  });

  it('does not take the time of an answer for a pause', () => {
    pass(true, 1_000);
    pass(false, 900);
    audibleMs = 500;
    pauses.markPlayed();
    pass(false, 800);
    pass(true, 300);
    expect(pauses.endOfTurnMs).toBe(600);
    expect(pauses.requiredVoiceMs(500)).toBe(500);
  });

  it('does not take a click in a pause for voice', () => {
    pass(true, 1_000);
    pass(false, 400);
    pass(true, 40);
    pass(false, 460);
    pass(true, 500);
    expect(pauses.endOfTurnMs).toBe(1_090);
  });

  it('is interrupted by a fifth of the usual voice where the answer began while the customer paused', () => {
    pass(true, 1_000);
    pass(false, 900);
    audibleMs = 200;
    pass(true, 60);
    expect(pauses.requiredVoiceMs(500)).toBe(100);
  });
});
