import { expect, it } from '@jest/globals';
import { quietTimes } from './quiet-times.js';

const customer = (from: number, to: number) => ({ from, to, text: 'Hello.' });

it('finds the wait for an answer, and no break of an assistant who listens', () => {
  const voices = {
    callee: [customer(3_000, 4_000)],
    assistant: [
      { from: 200, to: 2_000 },
      { from: 5_500, to: 8_000 },
    ],
  };
  expect(quietTimes(voices)).toEqual({ silences: [200, 1_500], breaks: [], callMs: 8_000 });
});

it.each([
  ['no sound of the customer', [], [2_000]],
  ['a voice of the customer before it', [customer(1_500, 2_400)], []],
])('finds a break of the assistant after %s', (_case, callee, breaks) => {
  const assistant = [
    { from: 0, to: 2_000 },
    { from: 4_000, to: 6_000 },
  ];
  expect(quietTimes({ callee, assistant }).breaks).toEqual(breaks);
});
