import { describe, expect, it } from '@jest/globals';
import { VisitorInputLimit, VisitorInputLimits } from './visitor-input-limit.js';

describe('VisitorInputLimit', () => {
  it('accepts 20 utterances in any minute', () => {
    const allowance = new VisitorInputLimit();
    const taken: number[] = [];
    for (let at = 0; at < 180_000; at += 250) if (allowance.admitUtterance(1, at) === 'yes') taken.push(at);
    expect(taken).toHaveLength(60);
    for (const [index, at] of taken.entries()) {
      const twentyFirst = taken[index + 20];
      if (twentyFirst !== undefined) expect(twentyFirst - at).toBeGreaterThanOrEqual(60_000);
    }
  });

  it('reports whether it accepts an utterance, without counting it', () => {
    const allowance = new VisitorInputLimit();
    for (let count = 0; count < 20; count += 1) {
      expect([allowance.admits(count), allowance.admits(count)]).toEqual([true, true]);
      allowance.admitUtterance(1, count);
    }
    expect([allowance.admits(59_999), allowance.admits(60_000)]).toEqual([false, true]);
  });

  it('accepts a person who speaks every three seconds', () => {
    const allowance = new VisitorInputLimit();
    for (let at = 0; at < 600_000; at += 3_000) expect(allowance.admitUtterance(60, at)).toBe('yes');
  });

  it('accepts 20,000 characters a minute', () => {
    const allowance = new VisitorInputLimit();
    const lengths = [2_000, 18_000, 1, 0];
    expect(lengths.map((length) => allowance.admitUtterance(length, 0))).toEqual([
      'yes',
      'yes',
      'late',
      'yes',
    ]);
    expect(allowance.admitUtterance(2_000, 59_999)).toBe('late');
    expect(allowance.admitUtterance(2_000, 60_000)).toBe('yes');
  });

  it('accepts 100,000 characters in a call, including those before its session broke', () => {
    const allowance = new VisitorInputLimit();
    allowance.resume(60_000);
    for (const minute of [0, 1]) expect(allowance.admitUtterance(20_000, minute * 60_000)).toBe('yes');
    expect([allowance.admitUtterance(1, 300_000), allowance.admitUtterance(0, 300_000)]).toEqual([
      'over',
      'yes',
    ]);
  });
});

describe('VisitorInputLimits', () => {
  it('accept 30 utterances a minute of one address, in any number of calls', () => {
    const allowances = new VisitorInputLimits();
    const taken = (address: string, now: number) => {
      const allowance = allowances.forVisitor(address);
      return Array.from({ length: 30 }, () => allowance.admitUtterance(1, now)).filter((one) => one === 'yes')
        .length;
    };
    expect([0, 1, 2].map((now) => taken('a', now))).toEqual([20, 10, 0]);
    expect(taken('b', 3)).toBe(20);
    expect(taken('a', 60_001)).toBe(20);
  });

  it('accept nothing from an address whose calls cause 28 model requests in a minute', () => {
    const allowances = new VisitorInputLimits();
    const [one, other] = [allowances.forVisitor('a'), allowances.forVisitor('a')];
    for (let request = 0; request < 28; request += 1) {
      expect(one.admitUtterance(1, request)).toBe(request < 20 ? 'yes' : 'late');
      other.countRequest(request);
    }
    expect([one.admitUtterance(1, 59_999), other.admitUtterance(1, 59_999)]).toEqual(['late', 'late']);
    expect(other.admitUtterance(1, 60_000)).toBe('yes');
    expect(allowances.forVisitor('b').admitUtterance(1, 28)).toBe('yes');
  });
});
