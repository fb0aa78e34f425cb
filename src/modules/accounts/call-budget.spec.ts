import { describe, expect, it } from '@jest/globals';
import { callBudget } from './call-budget.js';

const plan = {
  name: 'standard',
  maxAssistants: 1,
  maxTools: 1,
  maxCampaigns: 1,
  maxLeadsPerCampaign: 1,
  maxParallelCalls: 1,
  maxKnowledgeBases: 1,
  maxDocuments: 1,
  maxDocumentMegabytes: 1,
  maxWebsitePages: 1,
  maxTestConversationsPerDay: 1,
  pricePerMessageMicros: 10_000n,
};
const budget = (availableMicros: bigint, wantedSeconds: number, pricePerMinuteMicros = 50_000n) =>
  callBudget({ availableMicros, plan: { ...plan, pricePerMinuteMicros } }, wantedSeconds);

describe('callBudget', () => {
  it.each([
    ['the wanted duration is paid', 1_000_000n, 600, [500_000n, 600, 630]],
    ['a started minute is held whole', 1_000_000n, 61, [100_000n, 61, 91]],
    ['the goodbye is paid only in part', 500_000n, 600, [500_000n, 600, 600]],
    ['the limit is shortened to whole minutes', 199_999n, 600, [150_000n, 180, 180]],
    ['one minute is paid', 50_000n, 600, [50_000n, 60, 60]],
    ['a short call is not extended', 50_000n, 20, [50_000n, 20, 50]],
  ])('%s', (_, available, wanted, [holdMicros, maxDurationSeconds, carrierLimitSeconds]) => {
    const pricePerMinuteMicros = 50_000n;
    expect(budget(available, wanted)).toEqual({
      pricePerMinuteMicros,
      holdMicros,
      maxDurationSeconds,
      carrierLimitSeconds,
    });
  });

  it.each([[49_999n], [0n], [-1n]])('allows no call with %d micro-units', (available) => {
    expect(budget(available, 600)).toBeNull();
  });

  it('requires a balance for free minutes, without a hold or a shorter limit', () => {
    expect(budget(1n, 600, 0n)).toMatchObject({
      holdMicros: 0n,
      maxDurationSeconds: 600,
      carrierLimitSeconds: 630,
    });
    expect(budget(0n, 600, 0n)).toBeNull();
  });
});
