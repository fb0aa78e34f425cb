import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ENDS = [
  '</think&gt;',
  '&lt;/think>',
  '&lt;/think&gt;',
  '&LT;/THINK&GT;',
  '&lt/think&gt',
  '&lt;&#47;think&gt;',
  '&lt;&sol;think&gt;',
  String.raw`<\/think>`,
  String.raw`<\think>`,
  String.raw`\</think\>`,
  String.raw`\u003c/think\u003e`,
  String.raw`\u003C\u002Fthink\u003E`,
  String.raw`\\u003c/think\\u003e`,
  String.raw`\x3c/think\x3e`,
  String.raw`\u0026lt;/think\u0026gt;`,
  String.raw`<\u002fthink>`,
  '%3C/think%3E',
  '</THINK>',
  '</Thinking>',
  '</ think >',
  '< /think>',
  '< / think >',
  '</think\n>',
  '＜/think＞',
  '<／think>',
  '‹/think›',
  '[/think]',
  '[ /Think ]',
  '{/think}',
  '(/think)',
  '</think\n',
  '</think>\n</think>',
  '</reasoning&gt;',
  String.raw`<\/thought>`,
];
const OPENINGS: [string, string][] = [
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['<think&gt;', '</think&gt;'],
  [String.raw`\u003cthink\u003e`, String.raw`\u003c/think\u003e`],
  [String.raw`<\think>`, String.raw`<\/think>`],
  ['< think >', '< / think >'],
  ['＜think＞', '＜/think＞'],
  ['%3Cthink%3E', '%3C/think%3E'],
  ['<THINK>', '</think>'],
];

describe.each(CUTS)('a thought that comes %s', (_, cut) => {
  const expectHello = async (text: string) => {
    const chunks = [...cut(text).map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n'];
    for (const tools of [['look_up'], []])
      for (const isSpoken of [true, false]) {
        const { text: said, calls, error } = await readResponse(chunks, tools, isSpoken);
        expect([said.replaceAll(/```(?:xml)?/g, '').trim(), calls, error]).toEqual([HELLO, [], null]);
      }
  };

  it.each(ENDS)('ends with %s', async (end) => {
    await expectHello(`The customer is impatient.${end}${HELLO}`);
    await expectHello(`<think>The customer is impatient.${end}${HELLO}`);
  });

  it.each(OPENINGS)('begins with %s and ends with %s', async (begin, end) => {
    await expectHello(`${begin}The customer is impatient.${end}${HELLO}`);
  });

  it.each([
    ['a fence in front of it', '```\n<think>secret</think>'],
    ['a fence with a language', '```xml\n<think>secret</think>\n```\n'],
    ['a fence within it', '<think>secret ``` secret</think>'],
    ['a fence and only its end', 'secret ``` secret</think>'],
    ['three fences and only its end', '```\nsecret\n```\nsecret\n```\n</think>'],
    ['JSON in a fence and only its end', 'secret ```json\n{"a":1}\n</think>'],
    ['a drafted call in a fence', '```json\n{"name":"look_up","arguments":{}}\n</think>'],
    ['a comment in front of it', '<!-- <think>secret</think>'],
    ['a comment around it', '<!--\n<think>secret</think>\n-->'],
    ['a comment within it', '<think>secret <!-- x </think>'],
    ['a comment and only its end', 'secret <!-- x </think>'],
    ['an escaped comment', '&lt;!-- secret --&gt;'],
    ['a fence and a comment', '```<!--<think>secret</think>'],
    ['half of an object', 'secret {"a": "x</think>'],
  ])('is not hidden by %s', async (__, thought) => {
    await expectHello(thought + HELLO);
  });

  it.each([
    String.raw`C:\users\ada and a \ b`,
    '2 < 3, 5 > 4, a < think of it, 100% sure, 3% off',
    'The end (/), [/] and {/} stay.',
    '＜b＞ and ‹c›.',
    '```\na = 1\n```',
  ])('keeps other text: %s', async (text) => {
    const chunks = [...cut(text).map((content) => frame({ content })), frame({}, 'stop')];
    for (const tools of [['look_up'], []]) expect((await readResponse(chunks, tools, false)).text).toBe(text);
  });
});
