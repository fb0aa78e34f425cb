import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './read-answer.fake.js';

const BROKE_OFF = 'The language model broke off its answer';
const NOT_RUN = 'The language model wrote a call that cannot be run';
const DONE = 'data: [DONE]\n\n';

const event = (delta: object, finish_reason: unknown = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const say = (content: string, finish?: unknown): string => event({ content }, finish);
const END = event({}, 'stop');

describe('an end that is told before the answer is over', () => {
  it.each([
    ['within a thought', [say('The customer is '), say('impatient. ', 'x'), say('I must ')]],
    ['within the text', [say('We open ', 'stop'), say('at ')]],
    ['and no reason', [say('We open ', { a: 1 }), event({})]],
    [
      'before a call',
      [END, event({ tool_calls: [{ index: 0, function: { name: 'look_up', arguments: '{' } }] })],
    ],
  ])('does not count where the body breaks off later: %s', async (_, body) => {
    for (const isSpoken of [true, false])
      expect(await readAnswer(body, ['look_up'], isSpoken)).toMatchObject({
        text: '',
        calls: [],
        error: BROKE_OFF,
      });
  });

  it.each([
    ['a reason', [END]],
    ['the mark', [DONE]],
    ['the same reason twice', [END, END]],
    ['a reason, and a blank after it', [END, say(' ')]],
    ['a reason, and an empty call after it', [END, event({ tool_calls: [null, {}] })]],
  ])('does no harm where another one follows: %s', async (_, ends) => {
    const read = await readAnswer([END, say('We open ', 'stop'), say('at nine.'), ...ends], []);
    expect([read.text.trim(), read.error]).toEqual(['We open at nine.', null]);
  });

  it('does not hide that the answer is not whole', async () => {
    const read = await readAnswer([say('We open ', 'length'), say('at '), END, DONE], []);
    expect([read.text, read.stopped]).toEqual(['We open at ', 'length']);
  });
});

describe('a call whose arguments are lost with the end of its head', () => {
  const HEAD = '<|channel|>commentary to=functions.look_up ';
  const TAIL = '<|constrain|>json<|message|>{"day":"Monday"}<|call|>';

  it('is not run without them', async () => {
    for (const isSpoken of [true, false]) {
      const read = await readAnswer([say(HEAD), END, DONE], ['look_up'], isSpoken);
      expect(read).toMatchObject({ text: '', calls: [], error: NOT_RUN });
    }
  });

  it.each([
    ['comes twice', `${HEAD}${TAIL}${TAIL}`, [{ name: 'look_up', arguments: '{"day":"Monday"}' }]],
    ['lacks its beginning', TAIL, []],
  ])('is not shown where the end of its head %s', async (_, body, calls) => {
    for (const isSpoken of [true, false]) {
      const read = await readAnswer([say(body), END, DONE], ['look_up'], isSpoken);
      expect(read).toMatchObject({ text: '', calls, error: calls.length > 0 ? null : NOT_RUN });
    }
  });
});
