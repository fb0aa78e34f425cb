import { describe, expect, it } from '@jest/globals';
import { reportProblems, type CallRow, type ReportedCall } from './verify-reports.js';

const row = (changes: Partial<CallRow> = {}): CallRow => ({
  id: 1,
  sid: 'CA1',
  status: 'completed',
  endedReason: 'customer_hangup',
  endedAt: 5_000,
  cost: 50_000n,
  charges: 1,
  takesSlot: false,
  ...changes,
});
const call = (changes: Partial<ReportedCall> = {}): ReportedCall => ({
  what: 'call',
  carrierStatus: 'completed',
  endReportedAt: 5_010,
  isConversation: true,
  isGivenUp: false,
  record: row(),
  completions: 1,
  ...changes,
});

describe('reportProblems', () => {
  it('finds nothing wrong with calls that ended once', () => {
    const unanswered = row({ status: 'no-answer', cost: 0n, charges: 0 });
    const calls = [
      call(),
      call({ endReportedAt: null }),
      call({ record: row({ cost: 0n }) }),
      call({ isConversation: false, record: row({ endedReason: 'voicemail' }) }),
      call({ isGivenUp: true, carrierStatus: 'failed' }),
      call({ isGivenUp: true, record: null }),
      call({ carrierStatus: 'canceled', record: unanswered }),
      call({ carrierStatus: 'no-answer', record: unanswered }),
    ];
    expect(reportProblems(calls)).toEqual([]);
  });

  it.each([
    ['call has no record', { record: null }],
    ['call is in-progress, at the carrier completed', { record: row({ status: 'in-progress' }) }],
    ['call is busy, at the carrier completed', { record: row({ status: 'busy' }) }],
    ['call ended 35000 ms after its report', { record: row({ endedAt: 40_010 }) }],
    ['call ended Infinity ms after its report', { record: row({ endedAt: null }) }],
    [
      'call was ended as one with a machine after both had spoken',
      { record: row({ endedReason: 'voicemail' }) },
    ],
    ['call was told to be complete 2 times', { completions: 2 }],
    ['call was told to be complete 0 times', { completions: 0 }],
    ['call cost 50000, and was charged 2 times', { record: row({ charges: 2 }) }],
    ['call cost 50000, and was charged 0 times', { record: row({ charges: 0 }) }],
    ['call still takes a slot', { record: row({ takesSlot: true }) }],
  ] as [string, Partial<ReportedCall>][])('reports that the %s', (problem, changes) => {
    expect(reportProblems([call(changes)])).toEqual([problem]);
  });

  it('reports a run without calls', () => {
    expect(reportProblems([])).toEqual(['no call was reported']);
  });
});
