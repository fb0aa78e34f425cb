import { describe, expect, it } from '@jest/globals';
import { readResponse } from './read-response.fake.js';

const BROKE_OFF = 'The language model broke off its answer';
const NOT_RUN = 'The language model wrote a call that cannot be run';
const DONE = 'data: [DONE]\n\n';

const event = (delta: object, finish_reason: unknown = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const say = (content: string, finish?: unknown): string => event({ content }, finish);
const END = event({}, 'stop');

describe('an end that is reported before the response is complete', () => {
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
      expect(await readResponse(body, ['look_up'], isSpoken)).toMatchObject({
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
  ])('is ignored when another one follows: %s', async (_, ends) => {
    const read = await readResponse([END, say('We open ', 'stop'), say('at nine.'), ...ends], []);
    expect([read.text.trim(), read.error]).toEqual(['We open at nine.', null]);
  });

  it('does not hide an incomplete response', async () => {
    const read = await readResponse([say('We open ', 'length'), say('at '), END, DONE], []);
    expect([read.text, read.stopped]).toEqual(['We open at ', 'length']);
  });
});

it.each<[string, object]>([
  ['insufficient_system_resource', { error: BROKE_OFF }],
  ['time_limit', { error: BROKE_OFF }],
  ['TIMEOUT', { error: BROKE_OFF }],
  ['not_finished', { error: BROKE_OFF }],
  ['token_limit', { error: null, stopped: 'length' }],
  ['model_context_window_exceeded', { error: null, stopped: 'length' }],
  ['guardrail_intervened', { error: null, stopped: 'filter' }],
  ['refusal', { error: null, stopped: 'filter' }],
  ['eos_token', { error: null, stopped: null }],
  ['stop_sequence', { error: null, stopped: null }],
])('does not count half a response as complete: %s', async (reason, expected) => {
  expect(await readResponse([say('We open at '), event({}, reason), DONE], [])).toMatchObject(expected);
});

describe('the last call of a response that is too long', () => {
  const made = (args: object[]) => args.map((one) => ({ name: 'look_up', arguments: JSON.stringify(one) }));
  const piece = (index: number, args: string) =>
    event({ tool_calls: [{ index, function: { name: 'look_up', arguments: args } }] });

  it.each<[string, string[], object[]]>([
    ['no arguments yet', [piece(0, '')], []],
    ['no arguments yet, behind a whole one', [piece(0, '{"day":1}'), piece(1, '')], [{ day: 1 }]],
    ['all arguments', [piece(0, '{"day":1}')], [{ day: 1 }]],
    ['a function tag', [say('<function=look_up>\n')], []],
    ['one of its tags', [say('<function=look_up>\n<parameter=day>\n1\n</parameter>\n')], []],
    ['its name', [say('<|channel|>commentary to=functions.look_up <|constrain|>json<|message|>')], []],
    ['an action', [say('Action: look_up')], []],
    ['an action and no input', [say('Action: look_up\nAction Input: ')], []],
  ])('is not run where it may miss arguments: %s', async (_, body, args) => {
    for (const isSpoken of [true, false]) {
      const { text, calls } = await readResponse([...body, event({}, 'length'), DONE], ['look_up'], isSpoken);
      expect([text, calls]).toEqual(['', made(args).map((call) => expect.objectContaining(call) as unknown)]);
    }
  });
});

describe('a call whose arguments are lost with the end of its header', () => {
  const HEAD = '<|channel|>commentary to=functions.look_up ';
  const TAIL = '<|constrain|>json<|message|>{"day":"Monday"}<|call|>';

  it('is not run without them', async () => {
    for (const isSpoken of [true, false]) {
      const read = await readResponse([say(HEAD), END, DONE], ['look_up'], isSpoken);
      expect(read).toMatchObject({ text: '', calls: [], error: NOT_RUN });
    }
  });

  it.each([
    ['comes twice', `${HEAD}${TAIL}${TAIL}`, [{ name: 'look_up', arguments: '{"day":"Monday"}' }]],
    ['lacks its beginning', TAIL, []],
  ])('is not shown where the end of its head %s', async (_, body, calls) => {
    for (const isSpoken of [true, false]) {
      const read = await readResponse([say(body), END, DONE], ['look_up'], isSpoken);
      expect(read).toMatchObject({ text: '', calls, error: calls.length > 0 ? null : NOT_RUN });
    }
  });
});
