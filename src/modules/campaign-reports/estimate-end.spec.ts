import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '#src/common/time/durations.js';
import { estimateCampaignEnd, type EndEstimateInput } from './estimate-end.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR_MS = 60 * MINUTE_MS;

/** Minutes from now; calls take half a minute, in two slots. */
const minutes = (leads: Record<string, number>, changes: Partial<EndEstimateInput> = {}): number | null => {
  const end = estimateCampaignEnd({
    now: NOW,
    leads,
    lastDue: NOW,
    finishedCalls: leads['completed'] ?? 0,
    callMs: MINUTE_MS / 2,
    slots: 2,
    maxRetries: 3,
    retryMs: HOUR_MS,
    ...changes,
  });
  return end === null ? null : (end - NOW) / MINUTE_MS;
};

describe('estimateCampaignEnd', () => {
  it('divides the open leads by the slots when every lead is reached', () => {
    expect(minutes({ created: 30, rescheduled: 6, processing: 4, completed: 9 })).toBe(10);
    expect(minutes({ created: 40 })).toBe(10);
  });

  it('adds the retries that are likely, after their interval', () => {
    // Half of the calls miss: 100, 50 and 25 calls.
    expect(minutes({ created: 100, completed: 10 }, { finishedCalls: 20, retryMs: 0 })).toBe(43.75);
    // 25 minutes for all of them once, and two more rounds.
    expect(minutes({ created: 100, completed: 10 }, { finishedCalls: 20 })).toBe(146);
    // Nobody is expected to be missed twice.
    expect(minutes({ created: 2, completed: 90 }, { finishedCalls: 120 })).toBe(61);
    // The last attempt of a lead has no retry.
    expect(minutes({ created: 100 }, { finishedCalls: 20, maxRetries: 1 })).toBe(25);
    expect(minutes({ rescheduled: 100 }, { finishedCalls: 20, maxRetries: 2 })).toBe(25);
  });

  it('is not before the last lead is due and called', () => {
    expect(minutes({ rescheduled: 1, completed: 4 }, { lastDue: NOW + HOUR_MS })).toBe(60.5);
  });

  it('returns no estimate without an open lead or without a slot', () => {
    expect(minutes({ completed: 5 })).toBeNull();
    expect(minutes({ created: 5 }, { slots: 0 })).toBeNull();
  });
});
