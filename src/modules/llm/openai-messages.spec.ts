import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from './language-model.js';
import { refusalOf, toChatMessages, toChatTool } from './openai-messages.js';

describe('toChatMessages', () => {
  const sent = (messages: ModelMessage[]) =>
    toChatMessages(messages, { model: 'm' }).map(({ role, content }) => [role, content]);
  const system = (text: string) => ({ role: 'system', text }) as const;

  it('puts the instructions into one message and begins with a message of the user', () => {
    expect(sent([system('Be kind.'), system('Be short.')])).toEqual([
      ['system', 'Be kind.\n\nBe short.'],
      ['user', '(The call is connected.)'],
    ]);
  });

  it('makes later instructions a part of what the user says', () => {
    expect(
      sent([
        system('Be kind.'),
        { role: 'assistant', text: 'Hello?', toolCalls: [] },
        { role: 'customer', text: 'Yes' },
        { role: 'customer', text: 'it is me.' },
        system('Ask.'),
      ]),
    ).toEqual([
      ['system', 'Be kind.'],
      ['user', '(The call is connected.)'],
      ['assistant', 'Hello?'],
      ['user', 'Yes\nit is me.\n(Instruction, not said by the customer: Ask.)'],
    ]);
  });

  describe('of calls that are told again', () => {
    const provider = {
      model: 'm',
      call: { extra_content: { google: { thought_signature: 'c2ln' } }, function: { strict: true } },
      message: { reasoning_content: 'Hm.', reasoning_details: [{ signature: 'x' }] },
    };
    const messages: ModelMessage[] = [
      { role: 'customer', text: 'Monday?' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'a', name: 'look_up', arguments: '{"day":"Monday"}', provider }],
      },
      { role: 'tool', callId: 'a', text: 'free' },
    ];
    const told = (changes: object) => toChatMessages(messages, { model: 'm', ...changes })[1];

    it('gives the model back what it sent beside them, and no other model', () => {
      const call = { id: 'a', type: 'function' };
      const plain = { name: 'look_up', arguments: '{"day":"Monday"}' };
      expect(told({})).toEqual({
        role: 'assistant',
        content: null,
        ...provider.message,
        tool_calls: [
          { ...call, function: { ...plain, strict: true }, extra_content: provider.call.extra_content },
        ],
      });
      const without = { role: 'assistant', content: null, tool_calls: [{ ...call, function: plain }] };
      expect(told({ model: 'other' })).toEqual(without);
      expect(told({ withoutThoughts: true })).not.toHaveProperty('reasoning_content');
    });

    it('writes calls of others in words for a server that refuses them', () => {
      expect(told({ inWords: true })).toMatchObject({ tool_calls: [{ id: 'a' }] });
      const result = 'Result of look_up with {"day":"Monday"}: free';
      expect(toChatMessages(messages, { model: 'other', inWords: true })).toEqual([
        { role: 'user', content: `Monday?\n(Instruction, not said by the customer: ${result})` },
      ]);
    });

    it('writes arguments that are no object as none', () => {
      const calls = ['', '{"a":', '[1]'].map((text, at) => ({ id: `${at}`, name: 'x', arguments: text }));
      const [, message] = toChatMessages([{ role: 'assistant', text: '', toolCalls: calls }], { model: 'm' });
      expect(message).toMatchObject({ tool_calls: calls.map(() => ({ function: { arguments: '{}' } })) });
    });
  });
});

describe('toChatTool', () => {
  it.each([
    [{ type: 'object', properties: {}, required: [] }, undefined],
    [{ type: 'object' }, undefined],
    [{ type: 'object', properties: { a: { type: 'string' } } }, expect.anything()],
  ])('leaves out parameters where there are none: %j', (parameters, expected) => {
    expect(toChatTool({ name: 'a', description: 'A', parameters })).toEqual({
      type: 'function',
      function: { name: 'a', description: 'A', parameters: expected },
    });
  });
});

describe('refusalOf', () => {
  it.each([
    [400, 'Unrecognized request argument supplied: stream_options', 'usage'],
    [422, 'messages.1.reasoning_content: Extra inputs are not permitted', 'thoughts'],
    [400, 'Function call is missing a thought_signature in functionCall parts.', 'foreign-calls'],
    [400, 'Missing `reasoning_content` field in the assistant message at message index 2.', 'foreign-calls'],
    [400, 'context_length_exceeded', null],
    [500, 'reasoning_content', null],
  ])('%i %j', (status, message, expected) => {
    expect(refusalOf({ status, message })).toBe(expected);
  });
});
