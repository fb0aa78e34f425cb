import { describe, expect, it } from '@jest/globals';
import { neighbourProblems, quantile, type Experience } from './verify-neighbour.js';

const experience = (p99: number, fields: Partial<Experience> = {}): Experience => ({
  latenciesMs: Array.from({ length: 200 }, (_, index) => (index < 190 ? 2 : p99)),
  failed: 0,
  dialsMs: [300],
  ...fields,
});
const quiet = experience(10);

describe('neighbourProblems', () => {
  it('accepts a p99 of five times that of the quiet service', () => {
    expect(neighbourProblems(quiet, experience(50), 1_000)).toEqual([]);
  });

  it('refuses a p99 of more than five times that of the quiet service', () => {
    expect(neighbourProblems(quiet, experience(51), 1_000)).toHaveLength(1);
    expect(neighbourProblems(experience(40), experience(200), 1_000)).toEqual([]);
  });

  it('refuses a lead that is dialled late or not at all', () => {
    expect(neighbourProblems(quiet, experience(20, { dialsMs: [1_999, 2_001, null] }), 1_000)).toEqual([
      'dial 2: after 2001 ms, allowed 2000',
      'dial 3: the lead was not dialled',
    ]);
  });

  it('accepts a dial of five times the longest on the quiet service, where that is slow', () => {
    const slow = experience(10, { dialsMs: [300, 1_000] });
    expect(neighbourProblems(slow, experience(20, { dialsMs: [5_000, 5_001] }), 1_000)).toEqual([
      'dial 2: after 5001 ms, allowed 5000',
    ]);
  });

  it('refuses failed requests', () => {
    expect(neighbourProblems(quiet, experience(20, { failed: 1 }), 1_000)).toHaveLength(1);
  });

  it('refuses a run without load or without measurements', () => {
    expect(neighbourProblems(quiet, experience(20), 10)).toHaveLength(1);
    expect(neighbourProblems(experience(10, { latenciesMs: [1] }), experience(20), 1_000)).not.toEqual([]);
  });
});

describe('quantile', () => {
  it('is one of the values', () => {
    expect(quantile([3, 1, 2], 0.99)).toBe(3);
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
  });
});
