import { expect, it } from '@jest/globals';
import { nextBulkTurn } from './bulk-turns.js';

it('grants one turn per iteration of the event loop, in order', async () => {
  let round = 0;
  const count = (): void => {
    round++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const turns: [name: string, round: number][] = [];
  const work = async (name: string): Promise<void> => {
    await nextBulkTurn();
    turns.push([name, round]);
    await nextBulkTurn();
    turns.push([name, round]);
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  clearImmediate(timer);
  expect(turns.map(([name]) => name)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  expect(new Set(turns.map(([, at]) => at)).size).toBe(turns.length);
});
