import { describe, expect, it } from '@jest/globals';
import {
  decideInterruption,
  isBackchannel,
  type InterruptionState,
  countWords,
} from './interruption-policy.js';

const STATE: InterruptionState = {
  words: 1,
  backchannel: false,
  assistantSpeaks: false,
  toolRuns: false,
  allowInterruptions: true,
  minInterruptWords: 0,
};

describe('decideInterruption', () => {
  it.each([
    ['nothing was said', { words: 0 }, 'ignore'],
    ['one word, in silence', { minInterruptWords: 5 }, 'take'],
    ['one word, over speech', { assistantSpeaks: true }, 'take'],
    ['too few words over speech', { assistantSpeaks: true, words: 2, minInterruptWords: 3 }, 'ignore'],
    ['enough words over speech', { assistantSpeaks: true, words: 3, minInterruptWords: 3 }, 'take'],
    [
      'words over speech that may not be interrupted',
      { assistantSpeaks: true, allowInterruptions: false },
      'wait',
    ],
    ['a backchannel over speech', { assistantSpeaks: true, backchannel: true }, 'ignore'],
    ['a backchannel in silence', { backchannel: true }, 'take'],
    ['words while a tool runs', { toolRuns: true }, 'wait'],
  ] as const)('%s', (_, change, floor) => {
    expect(decideInterruption({ ...STATE, ...change })).toBe(floor);
  });
});

describe('countWords', () => {
  it.each([
    ['yes', 'en-US', 1],
    ['no, not on Friday!', 'en-US', 4],
    ['…', 'en-US', 0],
    ['不是星期五', 'zh-CN', 2],
  ])('%s in %s', (text, language, words) => {
    expect(countWords(text, language)).toBeGreaterThanOrEqual(words);
    if (language === 'en-US') expect(countWords(text, language)).toBe(words);
  });
});

describe('isBackchannel', () => {
  it.each([
    ['Uh-huh.', 'en-US', true],
    ['Mm-hm, okay.', 'en-GB', true],
    ['Okay, but not on Friday.', 'en-US', false],
    ['Genau.', 'de-DE', true],
    ['D’accord.', 'fr-FR', true],
    ['Stop.', 'en-US', false],
    ['', 'en-US', false],
    ['Okay', 'ja-JP', true],
  ])('%j in %s: %s', (text, language, backchannel) => {
    expect(isBackchannel(text, language)).toBe(backchannel);
  });
});
