import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './read-answer.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];

const frame = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const END = [frame({}, 'stop'), 'data: [DONE]\n\n'];

const read = async (chunks: readonly string[]) => {
  const { text, calls, error } = await readAnswer(chunks, ['look_up']);
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
    ['a part of Gemini', { content: [{ functionCall: { name: 'look_up', args: { day: 'Monday' } } }] }],
  ])('call the tool with what was sent: %s', async (_, delta) => {
    expect((await read([frame(delta), ...END])).made).toEqual([MONDAY]);
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
      'an event of several lines without names',
      [JSON.stringify({ choices: [{ delta: { content: HELLO }, finish_reason: 'stop' }] }, null, 2)],
    ],
  ])('leave the text whole: %s', async (_, frames) => {
    const answer = await read(frames.map((one) => `data: ${one}\n\n`));
    expect(answer).toEqual({ text: HELLO, made: [], failed: false });
  });

  it.each([
    ['after the call', [call, { index: 0, extra_content: { google: { thought_signature: 's' } } }]],
    ['before it', [{ index: 0, extra_content: { google: { thought_signature: 's' } } }, call]],
  ])('gives a signature back that comes in a piece of its own, %s', async (_, pieces) => {
    const chunks = pieces.map((piece) => frame({ tool_calls: [piece] }));
    const { calls } = await readAnswer([...chunks, ...END], ['look_up']);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.provider?.call).toEqual({ extra_content: { google: { thought_signature: 's' } } });
  });

  it('does not take a sign of life for a lost frame', async () => {
    const alive = 'data: [KEEPALIVE]\n\n';
    const frames = [frame({ tool_calls: [call] }), ...END].flatMap((one) => [alive, one]);
    expect((await read(frames)).made).toEqual([MONDAY]);
  });
});
