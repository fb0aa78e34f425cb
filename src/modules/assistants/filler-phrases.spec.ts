import { expect, it } from '@jest/globals';
import { defaultFillers } from './filler-phrases.js';

it.each([
  ['en-GB', 'Okay.'],
  ['pt-BR', 'Certo.'],
  ['ja-JP', '少々お待ちください。'],
  ['zh-TW', '請稍等。'],
  ['cs-CZ', 'Okamžik, prosím.'],
])('%s has fillers of its own language', (tag, first) => {
  expect(defaultFillers(tag).neutral[0]).toBe(first);
});
