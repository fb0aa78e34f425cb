import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { $api } from '#console/api/client';
import { useEventStream } from '#console/api/use-event-stream';
import { useNow } from '#console/formats/use-now';
import { parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';

const REREAD_MS = 2_000;
const CAMPAIGN_MS = 5_000;
const MOST_CAMPAIGNS = 8;
const LATEST = 8;
const DAY_MS = 86_400_000;

/** Figures of today, in the account's zone. */
export function useToday() {
  const { times } = useSession();
  const day = times.day(new Date(useNow()));
  const common = { from: day, to: day, timezone: times.zone };
  const hours = $api.useQuery('get', '/user/analytics/calls', {
    params: {
      query: {
        ...common,
        interval: 'hour',
        metrics: 'calls,answered,seconds,cost,response_p50,response_p95',
      },
    },
  });
  const outcomes = $api.useQuery('get', '/user/analytics/calls', {
    params: { query: { ...common, interval: 'day', group_by: 'outcome', metrics: 'calls' } },
  });
  return { day, hours, outcomes };
}

export type Analytics = NonNullable<ReturnType<typeof useToday>['hours']['data']>['data'];

/** How many calls run. */
export const useRunningCount = (): number | undefined =>
  $api.useQuery('get', '/user/calls', { params: { query: { status: 'running', per_page: 1 } } }).data?.total;

export const useLatestCalls = () =>
  $api.useQuery('get', '/user/calls', { params: { query: { per_page: LATEST } } });

/** Campaigns with what needs attention, and the running ones with their counters. */
export function useCampaigns() {
  const { data } = $api.useQuery(
    'get',
    '/user/campaigns',
    { params: { query: { counts: 'true' } } },
    { refetchInterval: CAMPAIGN_MS },
  );
  const running = (data ?? []).filter(({ status }) => status === 'in-progress').slice(0, MOST_CAMPAIGNS);
  return { all: data, running };
}

/** Webhooks of the last day that were given up. */
export function useDeadWebhooks(): number {
  const { data } = $api.useQuery('get', '/user/webhook-deliveries', {
    params: { query: { status: 'dead', per_page: 100 } },
  });
  const since = useNow() - DAY_MS;
  return (data?.data ?? []).filter(({ created_at: at }) => parseTime(at).getTime() > since).length;
}

/** Reads again what calls have changed, at most every two seconds. */
export function useFreshFigures(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changed = useRef(new Set<string>());
  useEventStream(
    '/user/calls/events',
    ({ name }) => {
      if (name !== 'position' && name !== 'status' && name !== 'ended') return;
      changed.current.add('/user/calls');
      if (name === 'ended')
        for (const path of ['/user/analytics/calls', '/user/me']) changed.current.add(path);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        for (const path of changed.current) void client.invalidateQueries({ queryKey: ['get', path] });
        changed.current.clear();
      }, REREAD_MS);
    },
    { isFromNow: true },
  );
}
