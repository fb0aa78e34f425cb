import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Reconciliation } from './reconciliation.js';

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index), accountId: 1 }));

describe('Reconciliation', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function begin(due: () => { id: string; accountId: number }[]) {
    const offered: string[] = [];
    let looks = 0;
    const reconciliation = new Reconciliation(
      {
        due: async () => {
          looks++;
          return due();
        },
        offer: ({ id }) => void offered.push(String(id)),
        failed: () => undefined,
      },
      2_000,
    );
    reconciliation.start();
    return { reconciliation, offered, looks: () => looks };
  }

  it('looks for due rows immediately, then every two seconds', async () => {
    const { offered, looks } = begin(() => rows(1));
    await jest.advanceTimersByTimeAsync(0);
    expect(offered).toEqual(['0']);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(looks()).toBe(3);
  });

  it('continues a backlog as soon as slots are free', async () => {
    let from = 0;
    const { reconciliation, looks } = begin(() => rows(50, (from += 50)));
    await jest.advanceTimersByTimeAsync(0);
    reconciliation.onCapacity();
    await jest.advanceTimersByTimeAsync(100);
    expect(looks()).toBe(2);
  });

  it('continues a backlog for two seconds after the last look that found many', async () => {
    let isFirst = true;
    const { reconciliation, looks } = begin(() => {
      const found = rows(isFirst ? 50 : 0);
      isFirst = false;
      return found;
    });
    await jest.advanceTimersByTimeAsync(0);
    for (let step = 0; step < 30; step++) {
      reconciliation.onCapacity();
      reconciliation.onCapacity();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(looks()).toBe(1 + 20);
  });

  it('treats rows as new again after two seconds of a backlog', async () => {
    let look = 0;
    const { reconciliation, looks } = begin(() => rows(50, 50 * (look++ % 25)));
    await jest.advanceTimersByTimeAsync(0);
    for (let step = 0; step < 40; step++) {
      reconciliation.onCapacity();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(looks()).toBe(1 + 40);
  });

  it('does not continue with rows that remain due', async () => {
    let look = 0;
    const { reconciliation, looks } = begin(() => rows(50, look++ % 2 === 0 ? 0 : 50));
    await jest.advanceTimersByTimeAsync(0);
    for (let step = 0; step < 10; step++) {
      reconciliation.onCapacity();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(looks()).toBe(3);
  });

  it('continues after a failed query, until it is stopped', async () => {
    let fails = true;
    const { reconciliation, offered, looks } = begin(() => {
      if (fails) throw new Error('away');
      return rows(1);
    });
    await jest.advanceTimersByTimeAsync(0);
    fails = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(offered).toEqual(['0']);
    await reconciliation.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(looks()).toBe(2);
  });
});
