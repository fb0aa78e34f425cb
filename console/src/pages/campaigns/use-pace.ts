import { $api } from '#console/api/client';
import { useNow } from '#console/formats/use-now';
import { useSession } from '#console/session/session';

const REREAD_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Calls of today by hour and campaign; the buckets are in the account's zone. */
function useHours(campaignId?: number) {
  const { times } = useSession();
  const now = useNow();
  // The hour before may be of yesterday.
  const [from, to] = [times.day(new Date(now - HOUR_MS)), times.day(new Date(now))];
  const { data } = $api.useQuery(
    'get',
    '/user/analytics/calls',
    {
      params: {
        query: {
          from,
          to,
          timezone: times.zone,
          interval: 'hour',
          metrics: 'calls',
          ...(campaignId === undefined ? { group_by: 'campaign' as const } : { campaign_id: campaignId }),
        },
      },
    },
    { refetchInterval: REREAD_MS },
  );
  const index = data?.data.buckets.findLastIndex((bucket) => new Date(bucket).getTime() <= now) ?? -1;
  return { series: data?.data.series, index };
}

/** Calls of this hour by campaign. */
export function usePaces(): Map<number, number> | undefined {
  const { series, index } = useHours();
  return series && new Map(series.map(({ key, values }) => [Number(key), values.calls?.[index] ?? 0]));
}

/** Calls of one campaign in this hour and the one before. */
export function usePace(campaignId: number): { now: number; before: number } | undefined {
  const { series, index } = useHours(campaignId);
  if (!series) return undefined;
  const calls = series[0]?.values['calls'] ?? [];
  return { now: calls[index] ?? 0, before: calls[index - 1] ?? 0 };
}
