import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CarrierBench } from '../support/carrier-bench.js';
import { aSpokenCall, bothSides, type SpokenCall } from '../support/spoken-call.js';

const CALLEES: [behaviour: string, digits: string][] = [
  ['coughs', '0030'],
  ['is on a line without reports of speech', '0031'],
  ['is on a line that never tells that speech ended', '0032'],
  ['is on a line whose first socket breaks', '0033'],
  ['is on a line whose first socket never opens', '0034'],
  ['talks over the assistant', '0035'],
];

describe('a callee', () => {
  let bench: CarrierBench;
  const calls = new Map<string, SpokenCall>();

  // All at once: a call takes as long as people speak.
  beforeAll(async () => {
    bench = await CarrierBench.start(undefined, 1);
    await Promise.all(CALLEES.map(async ([, digits]) => calls.set(digits, await aSpokenCall(bench, digits))));
  });

  afterAll(() => bench.stop());

  it.each(CALLEES)('who %s heard what is stored', async (_, digits) => {
    const { heard, stored } = await bothSides(calls.get(digits) as SpokenCall);
    expect(heard.length).toBeGreaterThan(1);
    expect(stored.join(' ')).toBe(heard.join(' '));
  });
});
