import { describe, expect, it } from '@jest/globals';
import { visitorProblems, type VisitorPart } from './verify-visitors.js';

const latencies = (ms: number): number[] => Array.from({ length: 200 }, () => ms);
const GOOD: VisitorPart = {
  name: 'text line',
  sent: 5_000,
  requests: 40,
  quietMs: latencies(10),
  loadedMs: latencies(50),
  transcriptBytes: 200_000,
  ownCalls: [200, 200],
};

describe('visitorProblems', () => {
  it('accepts 40 requests, a p95 of five times the quiet one and 200 kB', () => {
    expect(visitorProblems(GOOD)).toEqual([]);
  });

  it.each<[Partial<VisitorPart>, RegExp]>([
    [{ requests: 41 }, /^text line: 41 requests of the model/],
    [{ requests: 0 }, /was not asked/],
    [{ loadedMs: latencies(51) }, /p95 51.0 ms/],
    [{ transcriptBytes: 200_001 }, /200001 bytes/],
    [{ ownCalls: [200, 422] }, /a call of the account: 422/],
    [{ ownCalls: [] }, /began no call/],
    [{ sent: 10 }, /only 10/],
    [{ loadedMs: [10] }, /not measured/],
  ])('finds %j', (fields, problem) => {
    expect(visitorProblems({ ...GOOD, ...fields })).toEqual([expect.stringMatching(problem)]);
  });
});
