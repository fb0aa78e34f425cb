import { describe, expect, it } from '@jest/globals';
import { VisitorAllowance, VisitorAllowances } from './visitor-allowance.js';

describe('VisitorAllowance', () => {
  it('takes 20 utterances in any minute', () => {
    const allowance = new VisitorAllowance();
    const taken: number[] = [];
    for (let at = 0; at < 180_000; at += 250) if (allowance.takes(1, at) === 'yes') taken.push(at);
    expect(taken).toHaveLength(60);
    for (const [index, at] of taken.entries()) {
      const twentyFirst = taken[index + 20];
      if (twentyFirst !== undefined) expect(twentyFirst - at).toBeGreaterThanOrEqual(60_000);
    }
  });

  it('takes a person who says something every three seconds', () => {
    const allowance = new VisitorAllowance();
    for (let at = 0; at < 600_000; at += 3_000) expect(allowance.takes(60, at)).toBe('yes');
  });

  it('takes 20,000 characters a minute', () => {
    const allowance = new VisitorAllowance();
    const lengths = [2_000, 18_000, 1, 0];
    expect(lengths.map((length) => allowance.takes(length, 0))).toEqual(['yes', 'yes', 'late', 'yes']);
    expect(allowance.takes(2_000, 59_999)).toBe('late');
    expect(allowance.takes(2_000, 60_000)).toBe('yes');
  });

  it('takes 100,000 characters in a call, with those before its session broke', () => {
    const allowance = new VisitorAllowance(60_000);
    for (const minute of [0, 1]) expect(allowance.takes(20_000, minute * 60_000)).toBe('yes');
    expect([allowance.takes(1, 300_000), allowance.takes(0, 300_000)]).toEqual(['over', 'yes']);
  });
});

describe('VisitorAllowances', () => {
  it('take 30 utterances a minute of one address, in however many calls', () => {
    const allowances = new VisitorAllowances();
    const taken = (address: string, now: number) => {
      const allowance = allowances.of(address, 0);
      return Array.from({ length: 30 }, () => allowance.takes(1, now)).filter((one) => one === 'yes').length;
    };
    expect([0, 1, 2].map((now) => taken('a', now))).toEqual([20, 10, 0]);
    expect(taken('b', 3)).toBe(20);
    expect(taken('a', 60_001)).toBe(20);
  });

  it('take nothing of an address whose calls have had the model asked 28 times in a minute', () => {
    const allowances = new VisitorAllowances();
    const [one, other] = [allowances.of('a', 0), allowances.of('a', 0)];
    for (let request = 0; request < 28; request += 1) {
      expect(one.takes(1, request)).toBe(request < 20 ? 'yes' : 'late');
      other.asked(request);
    }
    expect([one.takes(1, 59_999), other.takes(1, 59_999)]).toEqual(['late', 'late']);
    expect(other.takes(1, 60_000)).toBe('yes');
    expect(allowances.of('b', 0).takes(1, 28)).toBe('yes');
  });
});
