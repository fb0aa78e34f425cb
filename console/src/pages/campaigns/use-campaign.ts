import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { useEventStream } from '#console/api/use-event-stream';

export type CampaignDetails = Schemas['CampaignDetailsResponse'];

const REREAD_MS = 2_000;
const SLOW_REREAD_MS = 30_000;
/** What calls change, besides the counters that the stream brings. */
const CHANGED = [
  '/user/campaigns/{id}/preview',
  '/user/calls',
  '/user/analytics/calls',
  '/user/analytics/answer-rate',
];

/** A campaign, kept up to date by its stream. */
export function useCampaign(id: number) {
  const client = useQueryClient();
  const path = { params: { path: { id } } };
  const details = $api.useQuery('get', '/user/campaigns/{id}', path);
  const preview = $api.useQuery('get', '/user/campaigns/{id}/preview', path, {
    refetchInterval: SLOW_REREAD_MS,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reread = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const changed of CHANGED) void client.invalidateQueries({ queryKey: ['get', changed] });
    }, REREAD_MS);
  };

  const stream = useEventStream(
    `/user/campaigns/${id}/events`,
    ({ name, data }) => {
      if (name === 'counters') {
        const { status, stopped_reason, paused_reason, leads, calls, transfers, actions } =
          data as CampaignDetails & CampaignDetails['stats'];
        client.setQueryData(
          $api.queryOptions('get', '/user/campaigns/{id}', path).queryKey,
          (stored: { data: CampaignDetails } | undefined) =>
            stored && {
              data: {
                ...stored.data,
                status,
                stopped_reason,
                paused_reason,
                stats: { leads, calls, transfers, actions },
              },
            },
        );
        reread();
      }
      if (name === 'status' || name === 'ended') reread();
    },
    { isFromNow: true },
  );
  return { details, preview: preview.data?.data, stream };
}
