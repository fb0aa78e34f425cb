import { describe, expect, it } from '@jest/globals';
import { writtenCalls } from './written-calls.js';

const KNOWN = new Set(['look_up']);
const call = (day: string) => `<function=look_up>\n<parameter=day>\n${day}\n</parameter>\n</function>\n`;

describe('writtenCalls', () => {
  it('reads several functions in tags', () => {
    expect(writtenCalls(call('Monday') + call('Tuesday'), KNOWN)).toMatchObject([
      { name: 'look_up', arguments: '{"day":"Monday"}' },
      { name: 'look_up', arguments: '{"day":"Tuesday"}' },
    ]);
  });

  it.each([
    ['without its parameters', `<function=look_up>\n${call('Monday')}`],
    ['with its parameters', `<function=look_up>\n<parameter=day>\nMonday\n</parameter>\n${call('Monday')}`],
  ])('reads no call where a function begins before the one in front has ended (%s)', (_, text) => {
    expect(writtenCalls(text, KNOWN)).toBeNull();
  });
});
