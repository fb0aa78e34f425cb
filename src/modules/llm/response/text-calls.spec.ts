import { describe, expect, it } from '@jest/globals';
import { parseModelJson } from './json-text.js';
import { toOfferedTools } from './tool-names.js';
import { parseTextCalls } from './text-calls.js';

const KNOWN = toOfferedTools([{ name: 'look_up', parameters: {} }]);
const call = (day: string) => `<function=look_up>\n<parameter=day>\n${day}\n</parameter>\n</function>\n`;

describe('parseTextCalls', () => {
  it('reads several functions in tags', () => {
    expect(parseTextCalls(call('Monday') + call('Tuesday'), KNOWN)).toMatchObject([
      { name: 'look_up', arguments: '{"day":"Monday"}' },
      { name: 'look_up', arguments: '{"day":"Tuesday"}' },
    ]);
  });

  it.each([
    ['without its parameters', `<function=look_up>\n${call('Monday')}`],
    ['with its parameters', `<function=look_up>\n<parameter=day>\nMonday\n</parameter>\n${call('Monday')}`],
  ])('reads no call where a function begins before the one in front has ended (%s)', (_, text) => {
    expect(parseTextCalls(text, KNOWN)).toBeNull();
  });

  it.each([
    ['keys without values', 'look_up<arg_key>', '</arg_key><arg_value>'],
    ['pairs without an end', '<arg_key>a</arg_key><arg_value>', ''],
    ['parameters without an end', 'look_up<parameter=day>', '<'],
  ])('reads hostile text in linear time: %s', (_, first, last) => {
    expect(parseTextCalls(first.repeat(4_000) + last.repeat(4_000), KNOWN)).toBeNull();
  });

  it('reads a code fence with nothing but blanks in linear time', () => {
    expect(parseModelJson(`\`\`\`${' '.repeat(50_000)}`)).toBeUndefined();
    expect(parseModelJson(`\`\`\`json\n{"a":1}${' '.repeat(50_000)}\`\`\``)).toEqual({ a: 1 });
  });
});
