import { describe, expect, it } from '@jest/globals';
import { TOOLS } from '../../../../tooling/faults/fuzz/mutated-streams.js';
import { BREAKS, type BreakName } from '../../../../tooling/sandbox/model/broken-answers.js';
import { bodyOf, dialect, DIALECT_NAMES } from '../../../../tooling/sandbox/model/dialects.js';
import { readResponse } from './read-response.fake.js';

const MONDAY = { name: 'look_up', arguments: '{"day":"Monday"}' };
const BOOKING = { name: 'book_table', arguments: '{"day":"Friday","note":"a <b> \\"c\\""}' };
const END = { name: 'end_call', arguments: '{}' };

describe('responses in the dialects of model servers', () => {
  describe.each(DIALECT_NAMES)('%s', (name) => {
    const spoken = dialect(name);
    const read = (content: string | null, calls: (typeof MONDAY)[], isSpoken: boolean) =>
      readResponse(bodyOf(spoken, spoken.frames({ content, calls })), TOOLS, isSpoken);

    it.each([true, false])('speaks only the text of the answer (spoken: %s)', async (isSpoken) => {
      const { text, calls, error } = await read('We open at nine.', [], isSpoken);
      expect([text.trim(), calls, error]).toEqual(['We open at nine.', [], null]);
    });

    it.each([true, false])('calls tools with what was sent (spoken: %s)', async (isSpoken) => {
      const { text, calls, error } = await read('One moment.', [MONDAY, BOOKING, END], isSpoken);
      expect(error).toBeNull();
      expect(text.trim()).toBe(name === 'llama' ? '' : 'One moment.');
      const made = calls.map((call) => [call.name, JSON.parse(call.arguments)]);
      expect(made).toEqual([MONDAY, BOOKING, END].map((call) => [call.name, JSON.parse(call.arguments)]));
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    });
  });

  it.each<[BreakName, object]>([
    ['cut-off', { text: '', error: 'The language model broke off its answer', stopped: null }],
    ['error-frame', { text: '', error: 'The language model broke off its answer (503)', stopped: null }],
    ['filtered', { text: ' We open at ', error: null, stopped: 'filter' }],
    ['too-long', { text: ' We open at ', error: null, stopped: 'length' }],
  ])('reports an answer that ends before it is complete (%s)', async (name, expected) => {
    const frames = dialect('openai').frames({ content: ' We open at nine.', calls: [] });
    expect(await readResponse(BREAKS[name](frames), TOOLS)).toMatchObject(expected);
  });
});
