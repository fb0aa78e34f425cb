import { expect, it } from '@jest/globals';
import { defaultFillers } from './filler-phrases.js';

it.each([
  ['en-GB', ['Okay.', 'Alright.', 'I see.', 'One moment.']],
  ['pt-BR', ['Certo.', 'Muito bem.', 'Entendo.', 'Um momento.']],
  ['ja-JP', []],
])('%s has fillers of its own language only', (tag, neutral) => {
  expect(defaultFillers(tag).neutral).toEqual(neutral);
});
