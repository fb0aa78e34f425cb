import { describe, expect, it } from '@jest/globals';
import type { AccountsService } from '#src/modules/accounts/accounts.service.js';
import type { CampaignCallCountersService } from '#src/modules/calls/campaign-call-counters.service.js';
import { CampaignRelatedDataService } from '#src/modules/campaigns/campaign-related-data.service.js';
import type { CampaignLeadsService } from '#src/modules/leads/campaign-leads.service.js';
import { CampaignForecastService } from './campaign-forecast.service.js';

const NOW = Date.UTC(2026, 0, 31, 12);

/** @param open leads by campaign @param seconds mean of a call by campaign */
const forecast = (open: [number, number][], seconds: [number, number][], planSlots: number) =>
  new CampaignForecastService(
    { accountView: async () => ({ plan: { maxParallelCalls: planSlots } }) } as unknown as AccountsService,
    { countOpen: async () => new Map(open) } as unknown as CampaignLeadsService,
    { meanSeconds: async () => new Map(seconds) } as unknown as CampaignCallCountersService,
    new CampaignRelatedDataService(),
  );

describe('CampaignForecastService', () => {
  it('divides the open leads by the slots, the plan’s if it has fewer', async () => {
    const service = forecast(
      [
        [1, 100],
        [2, 100],
      ],
      [
        [1, 36],
        [2, 36],
      ],
      5,
    );
    const ends = await service.estimateEnds(
      7,
      [
        { id: 1, maxCallsInParallel: 2 },
        { id: 2, maxCallsInParallel: 10 },
      ],
      NOW,
    );
    expect([...ends]).toEqual([
      [1, new Date(NOW + 1_800_000)],
      [2, new Date(NOW + 720_000)],
    ]);
  });

  it('tells nothing without open leads, without calls of the last hour or without slots', async () => {
    const campaigns = [
      { id: 1, maxCallsInParallel: 2 },
      { id: 2, maxCallsInParallel: 2 },
    ];
    expect(await forecast([[2, 5]], [[1, 36]], 5).estimateEnds(7, campaigns, NOW)).toEqual(new Map());
    expect(await forecast([[1, 5]], [[1, 36]], 0).estimateEnds(7, campaigns, NOW)).toEqual(new Map());
  });
});
