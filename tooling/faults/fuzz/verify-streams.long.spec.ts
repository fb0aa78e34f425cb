import { describe, expect, it } from '@jest/globals';
import { streamProblems } from './verify-streams.js';

const CALL = { name: 'look_up', arguments: '{"day":"Monday","seats":2}' };
const SENT = { content: 'We open at nine.', calls: [CALL] };
const GOOD = { text: ' We open at  nine.', calls: [CALL], failed: false };

describe('streamProblems', () => {
  it('accepts valid requests', () => {
    expect(streamProblems(SENT, true, GOOD, false)).toEqual([]);
    const other = { ...CALL, arguments: '{"seats":"2","day":"Monday"}' };
    expect(streamProblems(SENT, true, { ...GOOD, calls: [other] }, false)).toEqual([]);
    expect(streamProblems(SENT, true, { ...GOOD, text: '' }, true)).toEqual([]);
    expect(streamProblems(SENT, false, { text: 'We open', calls: [], failed: true }, false)).toEqual([]);
  });

  it.each([
    ['a thought was spoken', { text: 'I must hide the discount' }],
    ['markup was spoken', { text: 'We open <tool_call>' }],
    ['a complete answer counts as failed', { failed: true }],
    ['other words were spoken than were sent', { text: 'We open at' }],
    ['other calls were made than were sent', { calls: [] }],
    [
      'a tool was called with other arguments than were sent',
      { calls: [{ ...CALL, arguments: '{"day":1}' }] },
    ],
  ])('reports that %s', (problem, changes) => {
    expect(streamProblems(SENT, true, { ...GOOD, ...changes }, false)).toContain(problem);
  });

  it('ignores arguments that do not run', () => {
    const cut = { ...CALL, arguments: '{"day":"Mon' };
    expect(streamProblems(SENT, false, { ...GOOD, calls: [cut] }, false)).toEqual([]);
  });
});
