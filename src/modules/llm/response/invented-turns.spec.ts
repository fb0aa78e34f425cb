import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';

describe.each(CUTS)('a response that arrives %s', (_name, cut) => {
  const read = (text: string, isSpoken = true, tools: string[] = ['look_up']) =>
    readResponse([...cut(text).map((content) => frame({ content })), frame({}, 'stop')], tools, isSpoken);

  it.each([
    `${HELLO}<|endoftext|>Human: And on Sunday?\n\nAssistant: At ten.`,
    `${HELLO}<|im_end|>\n<|im_start|>user\nAnd on Sunday?<|im_end|>\n<|im_start|>assistant\nAt ten.`,
    `${HELLO}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd on Sunday?<|eot_id|>`,
    `${HELLO}<end_of_turn>\n<start_of_turn>user\nAnd on Sunday?<end_of_turn>`,
    `${HELLO}<｜end▁of▁sentence｜><｜User｜>And on Sunday?<｜Assistant｜>At ten.`,
    `<|im_start|>assistant\n${HELLO}<|im_end|>\n<tool_call>{"name":"look_up","arguments":{}}</tool_call>`,
  ])('leaves out the turns that the model invents: %j', async (text) => {
    for (const isSpoken of [true, false]) {
      const { text: said, calls } = await read(text, isSpoken);
      expect([said.trim(), calls]).toEqual([HELLO, []]);
    }
  });

  it('reads on after a turn without text', async () => {
    const { text } = await read(`<think>Hm.<|im_end|>\n<|im_start|>assistant\n${HELLO}<|im_end|>`);
    expect(text.trim()).toBe(HELLO);
    expect((await read(`<|endoftext|>${HELLO}`)).text.trim()).toBe(HELLO);
  });

  it('reads a call before the end of a turn', async () => {
    const { calls } = await read('[TOOL_CALLS]look_up{"day":"Monday"}<|im_end|>Human: Thanks.');
    expect(calls).toMatchObject([{ name: 'look_up', arguments: '{"day":"Monday"}' }]);
  });

  it.each(['Assistant: ', 'assistant: ', 'AI: ', 'ASSISTANT:\n', ' Assistant : ', 'Assistant：\n'])(
    'leaves out the role in front of it: %j',
    async (role) => {
      for (const isSpoken of [true, false]) expect((await read(role + HELLO, isSpoken)).text).toBe(HELLO);
    },
  );

  it.each([
    'AI',
    'AI is what I am.',
    'Assistant: ',
    'As I said: at nine.',
    'Assistants: we have three.',
    'AI:9',
  ])('has the words that are no role: %j', async (text) => {
    const expected = text === 'Assistant: ' ? '' : text;
    expect((await read(text)).text).toBe(expected);
  });
});
