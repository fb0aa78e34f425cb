import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from './language-model.js';
import { OpenAiToolCalls, ReasoningFilter, toChatMessages } from './openai-messages.js';

describe('OpenAiToolCalls', () => {
  const piece = (id: string | undefined, name: string | undefined, text: string) => ({
    index: 0,
    ...(id ? { id } : {}),
    function: { ...(name ? { name } : {}), arguments: text },
  });
  const callsOf = (...pieces: ReturnType<typeof piece>[]) => {
    const calls = new OpenAiToolCalls();
    for (const one of pieces) calls.add([one]);
    return calls.complete().map((call) => [call.id, call.name, call.arguments]);
  };

  it('keeps parallel calls apart that have one index', () => {
    const pieces = [
      piece('a', 'find', '{"x"'),
      piece(undefined, undefined, ':1}'),
      piece('b', 'book', '{"y":2}'),
    ];
    expect(callsOf(...pieces)).toEqual([
      ['a', 'find', '{"x":1}'],
      ['b', 'book', '{"y":2}'],
    ]);
  });

  it('keeps parallel calls apart that have no id', () => {
    const pieces = [piece(undefined, 'find', '{"x":1}'), piece(undefined, 'find', '{"x":2}')];
    expect(callsOf(...pieces)).toEqual([
      ['call_0', 'find', '{"x":1}'],
      ['call_1', 'find', '{"x":2}'],
    ]);
  });

  it('takes an id and a name that are repeated in each piece for one call', () => {
    expect(callsOf(piece('a', 'find', '{"x"'), piece('a', 'find', ':1}'))).toEqual([
      ['a', 'find', '{"x":1}'],
    ]);
  });
});

describe('ReasoningFilter', () => {
  it.each([
    [['<think>Hm.</think>', 'Hello'], 'Hello'],
    [['<thi', 'nk>Hm, a < b', '</th', 'ink>Hello'], 'Hello'],
    [['One <', ' two <thin', 'g>'], 'One < two <thing>'],
    [['One', '<think>never ends'], 'One'],
    [['One <th'], 'One <th'],
  ])('leaves out the reasoning of %j', (pieces, text) => {
    const filter = new ReasoningFilter();
    expect(pieces.map((piece) => filter.push(piece)).join('') + filter.end()).toBe(text);
  });
});

describe('toChatMessages', () => {
  const sent = (messages: ModelMessage[]) =>
    toChatMessages(messages).map(({ role, content }) => [role, content]);
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
});
