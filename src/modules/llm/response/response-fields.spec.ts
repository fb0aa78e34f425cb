import { describe, expect, it } from '@jest/globals';
import { frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];

const END = [frame({}, 'stop'), 'data: [DONE]\n\n'];

const read = async (chunks: readonly string[]) => {
  const { text, calls, error } = await readResponse(chunks, ['look_up']);
  const made = calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
  return { text, made, failed: error !== null };
};

describe('fields of another type or in another place', () => {
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: ARGS } };
  it.each<[string, object]>([
    [
      'arguments beside the function',
      { tool_calls: [{ index: 0, function: { name: 'look_up' }, arguments: ARGS }] },
    ],
    [
      'the name beside the function',
      { tool_calls: [{ index: 0, name: 'look_up', function: { arguments: ARGS } }] },
    ],
    ['the function as a name', { tool_calls: [{ index: 0, function: 'look_up', arguments: ARGS }] }],
    ['calls by their index', { tool_calls: { 0: call } }],
    ['a list of lists', { tool_calls: [[call]] }],
    ['JSON of the list', { tool_calls: JSON.stringify([call]) }],
    [
      'arguments in a code fence',
      { tool_calls: [{ index: 0, function: { name: 'look_up', arguments: `\`\`\`json\n${ARGS}\n\`\`\`` } }] },
    ],
    [
      'arguments as a Python dictionary',
      { tool_calls: [{ index: 0, function: { name: 'look_up', arguments: `{'day': 'Monday'}` } }] },
    ],
    ['a part of Gemini', { content: [{ functionCall: { name: 'look_up', args: { day: 'Monday' } } }] }],
  ])('call the tool with what was sent: %s', async (_, delta) => {
    expect((await read([frame(delta), ...END])).made).toEqual([MONDAY]);
  });

  it.each([
    ['functions.look_up'],
    ['functions.look_up:0'],
    ['"look_up"'],
    ['look_up<|channel|>commentary'],
    ['functions.', 'look_up'],
  ])('call the tool that is meant by %j', async (...names) => {
    const heads = names.map((name) => frame({ tool_calls: [{ index: 0, function: { name } }] }));
    const args = frame({ tool_calls: [{ index: 0, function: { arguments: ARGS } }] });
    expect((await read([...heads, args, ...END])).made).toEqual([MONDAY]);
  });

  it('keep a name that no tool has', async () => {
    const named = { name: 'functions.look_down', arguments: ARGS };
    const { made } = await read([frame({ tool_calls: [{ index: 0, function: named }] }), ...END]);
    expect(made).toEqual([['functions.look_down', { day: 'Monday' }]]);
  });

  it.each([
    [
      'choices by their index',
      [JSON.stringify({ choices: { 0: { delta: { content: HELLO }, finish_reason: 'stop' } } })],
    ],
    [
      'an error that says that there is none',
      [
        JSON.stringify({ choices: [{ delta: { content: HELLO } }], error: { code: 0, message: '' } }),
        '[DONE]',
      ],
    ],
    [
      'an end in small letters',
      [JSON.stringify({ choices: [{ delta: { content: HELLO }, finish_reason: null }] }), '[done]'],
    ],
    [
      'an event of several lines without names',
      [JSON.stringify({ choices: [{ delta: { content: HELLO }, finish_reason: 'stop' }] }, null, 2)],
    ],
  ])('keep the text complete: %s', async (_, frames) => {
    const answer = await read(frames.map((one) => `data: ${one}\n\n`));
    expect(answer).toEqual({ text: HELLO, made: [], failed: false });
  });

  it.each([
    [
      'a number that is none',
      `data: {"choices":[{"delta":{"content":"${HELLO}"},"logprobs":[NaN,-Infinity]}]}\n\n${END.join('')}`,
    ],
    ['an end in the line of the last frame', `${frame({ content: HELLO }).trimEnd()}data: [DONE]`],
  ])('keep the text of a stream complete: %s', async (_, stream) => {
    expect(await read([stream])).toEqual({ text: HELLO, made: [], failed: false });
  });

  it.each([
    ['after the call', [call, { index: 0, extra_content: { google: { thought_signature: 's' } } }]],
    ['before it', [{ index: 0, extra_content: { google: { thought_signature: 's' } } }, call]],
  ])('returns a signature that arrives in a chunk of its own, %s', async (_, pieces) => {
    const chunks = pieces.map((piece) => frame({ tool_calls: [piece] }));
    const { calls } = await readResponse([...chunks, ...END], ['look_up']);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.provider?.call).toEqual({ extra_content: { google: { thought_signature: 's' } } });
  });

  it('does not count a keep-alive as an invalid frame', async () => {
    const alive = 'data: [KEEPALIVE]\n\n';
    const frames = [frame({ tool_calls: [call] }), ...END].flatMap((one) => [alive, one]);
    expect((await read(frames)).made).toEqual([MONDAY]);
  });
});

describe('a second choice', () => {
  type Choice = [index: unknown, content: string, finish?: string];
  const choices = (...given: Choice[]): string =>
    `data: ${JSON.stringify({ choices: given.map(([index, content, finish_reason = null]) => ({ index, delta: { content }, finish_reason })) })}\n\n`;
  const DONE = 'data: [DONE]\n\n';

  it.each<[string, string[]]>([
    [
      'in the same frames',
      [choices([0, 'We open '], [1, 'Go ']), choices([1, 'away.', 'stop'], [0, 'at nine.', 'stop'])],
    ],
    [
      'in frames of its own',
      [choices([0, 'We open ']), choices([1, 'Go ']), choices([0, 'at nine.', 'stop'])],
    ],
    ['before the first', [choices([1, 'Go away.', 'stop']), choices([0, HELLO, 'stop'])]],
    [
      'with its number as text',
      [choices(['0', 'We open ']), choices(['1', 'Go ']), choices(['0', 'at nine.', 'stop'])],
    ],
    [
      'by its index',
      [
        `data: ${JSON.stringify({ choices: { 1: { delta: { content: 'Go' } }, 0: { delta: { content: HELLO } } } })}\n\n`,
      ],
    ],
    [
      'whose message is whole',
      [
        choices([0, HELLO, 'stop']),
        `data: ${JSON.stringify({ choices: [{ index: 1, message: { content: 'Go away.' } }] })}\n\n`,
      ],
    ],
  ])('is not spoken: %s', async (_, frames) => {
    expect(await read([...frames, DONE])).toEqual({ text: HELLO, made: [], failed: false });
  });

  it.each<[string, string[]]>([
    ['as text', [choices([1, 'Go ']), choices([1, 'away.', 'stop'])]],
    [
      'as a call',
      [
        `data: ${JSON.stringify({ choices: [{ index: 1, delta: { tool_calls: [{ index: 0, function: { name: 'look_up', arguments: ARGS } }] }, finish_reason: 'tool_calls' }] })}\n\n`,
      ],
    ],
    ['of several', [choices([2, 'Go '], [1, 'Run ']), choices([2, 'away.', 'stop'])]],
  ])('is ignored when it is the only one: %s', async (_, frames) => {
    expect(await read([...frames, DONE])).toEqual({ text: '', made: [], failed: false });
    expect((await read(frames)).failed).toBe(true);
  });

  it.each([[undefined], [null], ['0'], ['x'], [true], [-1]])('is none with the number %j', async (index) => {
    expect((await read([choices([index, HELLO, 'stop']), DONE])).text).toBe(HELLO);
  });
});
