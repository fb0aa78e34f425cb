import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN_STATUSES, statusAfter } from './campaign.types.js';

describe('statusAfter', () => {
  it.each([
    ['start', ['in-progress', null, 'in-progress', 'in-progress']],
    ['stop', [null, 'stopped', null, null]],
    ['complete', [null, 'completed', null, null]],
  ] as const)('%s', (move, after) => {
    expect(CAMPAIGN_STATUSES.map((status) => statusAfter(move, status))).toEqual(after);
  });
});
