import { $api } from '#console/api/client';
import { queryClient } from '#console/api/query-client';
import { useSession } from '#console/session/session';

const DAY_MS = 86_400_000;
/** The analytics take at most so many. */
export const MOST_DAYS = 366;

/** The last days up to today, as the analytics take them. */
export function lastDays(days: number, zone: string): { from: string; to: string; timezone: string } {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const now = Date.now();
  return { from: day.format(now - (days - 1) * DAY_MS), to: day.format(now), timezone: zone };
}

const totalsQuery = (campaignId: number, zone: string) => ({
  params: {
    query: {
      ...lastDays(MOST_DAYS, zone),
      interval: 'month' as const,
      metrics: 'calls,answered,cost,success',
      campaign_id: campaignId,
    },
  },
});

/** Totals of the calls of a campaign. */
export function useTotals(campaignId: number) {
  const { times } = useSession();
  return $api.useQuery('get', '/user/analytics/calls', totalsQuery(campaignId, times.zone)).data?.data.totals;
}

/** Null: there was no call, or it is not known. */
export async function costPerCall(campaignId: number, zone: string): Promise<number | null> {
  const options = $api.queryOptions('get', '/user/analytics/calls', totalsQuery(campaignId, zone));
  const answer = await queryClient.fetchQuery(options).catch(() => null);
  const { calls, cost } = answer?.data.totals ?? {};
  return calls != null && calls > 0 && cost != null ? cost / calls : null;
}
