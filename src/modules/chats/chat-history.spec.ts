import { describe, expect, it } from '@jest/globals';
import { MAX_RESULT_CHARACTERS, toMessages } from './chat-history.js';
import type { FunctionCall } from './chat.types.js';

const at = new Date('2026-01-31T09:30:00Z');
const later = new Date('2026-01-31T09:30:05Z');
const call = (result: string | null): FunctionCall => ({ name: 'find', arguments: { id: 5 }, result });
const turn = (functionCalls: FunctionCall[], answer: string | null = 'Yes.') => ({
  message: 'Well?',
  answer,
  functionCalls,
  createdAt: at,
  answeredAt: later,
});

describe('toMessages', () => {
  it('has both sides with their times, and calls only where they exist', () => {
    const greeting = { ...turn([]), message: null };
    expect(toMessages([greeting, turn([call('{"a":1}')]), turn([], null)])).toEqual([
      { role: 'assistant', content: 'Yes.', at: later },
      { role: 'user', content: 'Well?', at },
      {
        role: 'assistant',
        content: 'Yes.',
        function_calls: [{ name: 'find', arguments: { id: 5 }, result: { a: 1 } }],
        at: later,
      },
      { role: 'user', content: 'Well?', at },
    ]);
  });

  it.each([
    [null, null],
    ['', ''],
    ['shipped', 'shipped'],
    ['[1]', [1]],
    ['{', '{'],
  ])('shows the result %j as %j', (result, shown) => {
    expect(toMessages([turn([call(result)])])[1]?.function_calls).toEqual([
      { name: 'find', arguments: { id: 5 }, result: shown },
    ]);
  });

  it('hides arguments and results, but not how it ended', () => {
    const ended = { name: 'end_call', arguments: {}, result: '{"status":"ended"}' };
    expect(toMessages([turn([call('x'), ended])], { showsResults: false })[1]?.function_calls).toEqual([
      { name: 'find', arguments: {} },
      { name: 'end_call', arguments: {}, result: { status: 'ended' } },
    ]);
  });

  it('shows results up to a limit for the whole conversation', () => {
    const long = turn([call('x'.repeat(MAX_RESULT_CHARACTERS / 2))]);
    const shown = toMessages([long, long, turn([call('y')])]).flatMap(
      ({ function_calls = [] }) => function_calls,
    );
    expect(shown.map((one) => 'result' in one)).toEqual([true, true, false]);
  });
});
