import { describe, expect, it } from '@jest/globals';
import { BatchLoader } from './batches.js';

describe('BatchLoader', () => {
  const recorded = (work: (items: number[]) => Promise<string[]>, maxSize = 100) => {
    const sizes: number[] = [];
    const batches = new BatchLoader<number, string>((items) => {
      sizes.push(items.length);
      return work(items);
    }, maxSize);
    return { sizes, add: (item: number) => batches.load(item) };
  };
  const spell = async (items: number[]) => items.map(String);

  it('resolves each call with its own result, and loads all calls of a tick in one batch', async () => {
    const { sizes, add } = recorded(spell);
    expect(await Promise.all([add(3), add(1), add(2)])).toEqual(['3', '1', '2']);
    expect(await add(4)).toBe('4');
    expect(sizes).toEqual([3, 1]);
  });

  it('collects calls while a batch is running, up to the batch size', async () => {
    const { sizes, add } = recorded(spell, 2);
    expect(await Promise.all([1, 2, 3, 4, 5].map(add))).toEqual(['1', '2', '3', '4', '5']);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('rejects only the item that fails', async () => {
    const { add } = recorded(async (items) => {
      if (items.includes(2)) throw new Error('two');
      return spell(items);
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map(add));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await add(5)).toBe('5');
  });

  it('waits for further calls where requested, until it is flushed', async () => {
    const sizes: number[] = [];
    const work = async (items: number[]) => {
      sizes.push(items.length);
      return spell(items);
    };
    const patient = new BatchLoader<number, string>(work, 100, 60_000);
    const first = patient.load(1);
    await new Promise(setImmediate);
    const second = patient.load(2);
    await new Promise(setImmediate);
    expect(sizes).toEqual([]);
    patient.flush();
    expect(await Promise.all([first, second])).toEqual(['1', '2']);
    expect(sizes).toEqual([2]);
    expect(await new BatchLoader<number, string>(work, 100, 5).load(3)).toBe('3');
  });
});
