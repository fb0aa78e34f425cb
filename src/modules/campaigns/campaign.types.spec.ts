import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN_STATUSES, campaignStatusAfter } from './campaign.types.js';

describe('campaignStatusAfter', () => {
  it.each([
    ['start', ['in-progress', null, 'in-progress', 'in-progress']],
    ['stop', [null, 'stopped', null, null]],
    ['complete', [null, 'completed', null, null]],
  ] as const)('%s', (move, after) => {
    expect(CAMPAIGN_STATUSES.map((status) => campaignStatusAfter(move, status))).toEqual(after);
  });
});
