import { describe, expect, it } from '@jest/globals';
import { interruptionDecision, type FloorState, countWords } from './interruption-policy.js';

const STATE: FloorState = {
  words: 1,
  assistantSpeaks: false,
  toolRuns: false,
  allowInterruptions: true,
  minInterruptWords: 0,
};

describe('interruptionDecision', () => {
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
    ['words while a tool runs', { toolRuns: true }, 'wait'],
  ] as const)('%s', (_, change, floor) => {
    expect(interruptionDecision({ ...STATE, ...change })).toBe(floor);
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
