import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];
const TOOLS = ['look_up', 'book_table', 'end_call', 'transfer'];
const PARAMETERS = { look_up: ['day'], book_table: ['day', 'note'] };

const CALLS = [
  `(function=look_up>${ARGS})`,
  `(function=look_up>${ARGS}`,
  `(function=look_up)${ARGS}(/function)`,
  `[function=look_up]${ARGS}[/function]`,
  `{function=look_up}${ARGS}{/function}`,
  `function=look_up>${ARGS}</function>`,
  '(function=look_up><parameter=day>Monday</parameter>(/function)',
  'look_up({ day: "Monday" })',
  "look_up({day: 'Monday'})",
  'look_up({day: "Monday",})',
  'look_up ({ day: "Monday" })',
  'await look_up({ day: "Monday" })',
  'print(look_up(day="Monday"))',
  'look_up(day: "Monday")',
  'look_up {day: "Monday"}',
  'look_up("Monday")',
  "look_up('Monday')",
  'look_up ("Monday")',
  '<tool_call>look_up("Monday")</tool_call>',
  '<tool_call>look_up({day: "Monday"})</tool_call>',
  '{name: "look_up", arguments: {day: "Monday"}}',
  '<tool_call>{name: "look_up", arguments: {day: "Monday"}}</tool_call>',
  'look_up:\n  day: Monday\n',
  'look_up:\n  day: "Monday"\n',
  '```yaml\nlook_up:\n  day: Monday\n```',
  'tool: look_up\narguments:\n  day: Monday\n',
  'name: look_up\narguments:\n  day: Monday\n',
  '<tool_call>\nname: look_up\narguments:\n  day: Monday\n</tool_call>',
  `<call><name>look_up</name><arguments>${ARGS}</arguments></call>`,
  '<call><name>look_up</name><day>Monday</day></call>',
  '<call>\n<name>look_up</name>\n<args>\n<day>Monday</day>\n</args>\n</call>',
  '<tool_call><name>look_up</name><arguments><day>Monday</day></arguments></tool_call>',
  `<call name="look_up">${ARGS}</call>`,
  `<invoke name="look_up" arguments="${ARGS}">`,
  `<invoke name="look_up" arguments="${ARGS}"/>`,
  `<invoke name="look_up" arguments='${ARGS}'></invoke>`,
  `<invoke name="look_up" arguments="${ARGS.replaceAll('"', '&quot;')}"/>`,
  `<invoke name="look_up" arguments="${ARGS.replaceAll('"', String.raw`\"`)}"/>`,
  '<invoke name="look_up" arguments="{day: \'Monday\'}"/>',
  '<invoke name="look_up" day="Monday"/>',
  '<invoke id="1" name="look_up" day="Monday"></invoke>',
  '<invoke name="look_up"><day>Monday</day></invoke>',
  `<invoke name=look_up>${ARGS}</invoke>`,
  `<invoke tool="look_up">${ARGS}</invoke>`,
  `<tool_call name="look_up" arguments='${ARGS}'/>`,
  `<function name="look_up" arguments='${ARGS}'></function>`,
  '<function=look_up day="Monday"/>',
  '<look_up day="Monday"/>',
  '<look_up day="Monday"></look_up>',
  String.raw`\u003ctool_call\u003e{"name":"look_up","arguments":${ARGS}}\u003c/tool_call\u003e`,
];

describe.each(CUTS)('a call as text that comes %s', (_, cut) => {
  const read = async (text: string, isSpoken: boolean) => {
    const chunks = [...cut(text).map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n'];
    const answer = await readResponse(chunks, TOOLS, isSpoken, PARAMETERS);
    const made = answer.calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
    return { text: answer.text.replace(/\s+/g, ' ').trim(), made, failed: answer.error !== null };
  };

  it.each(CALLS)('is made with its arguments: %s', async (call) => {
    for (const isSpoken of [true, false]) {
      expect(await read(call, isSpoken)).toEqual({ text: '', made: [MONDAY], failed: false });
      expect(await read(`${HELLO}\n${call}`, isSpoken)).toEqual({
        text: HELLO,
        made: [MONDAY],
        failed: false,
      });
    }
  });

  it.each([
    ['<invoke name="look_up" arguments="{"day":"a > b, c < d"}"/>', 'a > b, c < d'],
    [`<invoke name="look_up" day="${'long '.repeat(100)}"/>`, 'long '.repeat(100)],
    ['<call><name>look_up</name><day>Ada &amp; Bo</day></call>', 'Ada & Bo'],
    ['look_up({ day: "it\'s a: {b}, \\"c\\"" })', 'it\'s a: {b}, "c"'],
    ["look_up('Ada\\'s \"day\"')", 'Ada\'s "day"'],
    ["look_up:\n  day: Monday, 8 o'clock\n", "Monday, 8 o'clock"],
    ['look_up:\n  day: 0151\n', '0151'],
  ])('keeps the signs of its arguments: %s', async (call, day) => {
    for (const isSpoken of [true, false])
      expect(await read(`${call}\n${HELLO}`, isSpoken)).toEqual({
        text: HELLO,
        made: [['look_up', { day }]],
        failed: false,
      });
  });

  it.each([
    'look_up(Monday)',
    'look_up("Monday", "now")',
    'look_up("Monday", day="Friday")',
    'book_table("Monday")',
    'look_up({ day: Monday })',
    'look_up({ day: "Monday"',
    'look_up:\n  day: |\n    Monday\n',
    'look_up:\n  day: Monday\n  day: Friday\n',
    '(function=look_up>{"day":"Mon',
    '(function=fly>{"day":"Monday"})',
    '<invoke name="look_up" arguments="{"day":"Mon',
    '<invoke name="look_up" arguments="Monday"/>',
    '<invoke name="look_up" day="Monday" day="Friday"/>',
    `<invoke name="look_up" day="Friday">${ARGS}</invoke>`,
    '<invoke name="look_up" arguments="{"day":"Friday"}"><parameter name="day">Monday</parameter></invoke>',
    '<call><name>look_up</name><day>Monday</day><day>Friday</day></call>',
    '<call><name>look_up</name>on Monday</call>',
    '<call><name>fly</name><day>Monday</day></call>',
    '<look_up day="Monday"><day>Friday</day></look_up>',
  ])('is neither made with other arguments nor spoken: %s', async (call) => {
    expect(await read(call, true)).toEqual({ text: '', made: [], failed: true });
  });

  it.each([
    'Hours: Monday: nine. look_up is a name, and look_up: is one too.',
    'You may transfer(s) and transfer (a call), or print( this ) and await it.',
    'name: Ada last name: Byron',
    'The function (day=1) is fine (function: a hammer).',
    'transfer: Monday',
  ])('is not seen in other text: %s', async (text) => {
    for (const isSpoken of [true, false])
      expect(await read(text, isSpoken)).toEqual({ text, made: [], failed: false });
  });
});

describe('a text of signs that begin calls and tags', () => {
  it.each([
    '<',
    String.raw`\u003c`,
    'look_up(',
    'look_up:\n  a: b\n',
    '<invoke name="look_up" a="',
    '```\n</think',
    '{a:',
  ])('is read in linear time: %s', async (text) => {
    const started = process.cpuUsage().user;
    const content = text.repeat(Math.ceil(100_000 / text.length));
    await readResponse([frame({ content }), frame({}, 'stop')], TOOLS, true, PARAMETERS);
    expect(process.cpuUsage().user - started).toBeLessThan(20_000_000);
  });
});
