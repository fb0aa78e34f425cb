import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from './language-model.js';
import { findRejectedFeature, toChatMessages, toChatTool, toLanguageModelError } from './openai-messages.js';

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

  it("adds later instructions to the user's message", () => {
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

  it('ends with the user where a notice followed what the user said', () => {
    const notice: ModelMessage = { role: 'assistant', text: 'This call is recorded.', toolCalls: [] };
    expect(sent([system('Be kind.'), { role: 'customer', text: 'Hello?' }, notice])).toEqual([
      ['system', 'Be kind.'],
      ['user', 'Hello?'],
      ['assistant', 'This call is recorded.'],
      ['user', '(The customer is waiting for your answer.)'],
    ]);
  });

  it('puts an unheard answer between a tool and the user', () => {
    const call = { id: 'a', name: 'look_up', arguments: '{}' };
    expect(
      sent([
        { role: 'customer', text: 'Monday?' },
        { role: 'assistant', text: '', toolCalls: [call] },
        { role: 'tool', callId: 'a', text: 'free' },
        { role: 'customer', text: 'Or Tuesday?' },
      ]),
    ).toEqual([
      ['user', 'Monday?'],
      ['assistant', null],
      ['tool', 'free'],
      ['assistant', '…'],
      ['user', 'Or Tuesday?'],
    ]);
  });

  describe('of earlier tool calls', () => {
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

    it('returns the extra fields of tool calls to the model that sent them, and to no other', () => {
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
      expect(told({ withoutReasoning: true })).not.toHaveProperty('reasoning_content');
    });

    it('writes calls of other models as text for a server that refuses them', () => {
      expect(told({ callsAsText: true })).toMatchObject({ tool_calls: [{ id: 'a' }] });
      const result = 'Result of look_up with {"day":"Monday"}: free';
      expect(toChatMessages(messages, { model: 'other', callsAsText: true })).toEqual([
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
  ])('omits parameters where there are none: %j', (parameters, expected) => {
    expect(toChatTool({ name: 'a', description: 'A', parameters })).toEqual({
      type: 'function',
      function: { name: 'a', description: 'A', parameters: expected },
    });
  });
});

describe('toLanguageModelError', () => {
  it.each([
    ['2', 2_000],
    ['0.5', 500],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', null],
    [null, null],
  ])('keeps for how long the provider refuses requests: %s', (header, retryAfterMs) => {
    const headers = new Headers(header === null ? {} : { 'Retry-After': header });
    const error = { status: 429, code: 'rate_limit_exceeded', headers };
    expect(toLanguageModelError(error)).toMatchObject({ status: 429, retryable: true, retryAfterMs });
  });
});

describe('findRejectedFeature', () => {
  it.each([
    [400, 'Unrecognized request argument supplied: stream_options', 'usage'],
    [422, 'messages.1.reasoning_content: Extra inputs are not permitted', 'thoughts'],
    [
      400,
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
      'thoughts',
    ],
    [400, 'Unknown field reasoning_content: a message must have role and content', 'thoughts'],
    [400, 'reasoning_content is not allowed where tools are required', 'thoughts'],
    [400, 'Function call is missing a thought_signature in functionCall parts.', 'foreign-calls'],
    [400, 'The `reasoning_content` in the thinking mode must be passed back to the API.', 'foreign-calls'],
    [
      400,
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.',
      'foreign-calls',
    ],
    [400, 'Missing `reasoning_content` field in the assistant message at message index 2.', 'foreign-calls'],
    [400, 'context_length_exceeded', null],
    [500, 'reasoning_content', null],
  ])('%i %j', (status, message, expected) => {
    expect(findRejectedFeature({ status, message })).toBe(expected);
  });
});
