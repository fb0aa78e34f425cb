import { useState } from 'react';
import { $api, type Schemas } from '#console/api/client';
import { useEventStream } from '#console/api/use-event-stream';

export type Turn = Schemas['TurnResponse'];

/** The turns of a call as they happen. */
export function useTurns(callId: number | null): { turns: Turn[]; status: string | null; isOver: boolean } {
  const [overId, setOverId] = useState<number | null>(null);
  const isOver = callId !== null && overId === callId;
  const { data, refetch } = $api.useQuery(
    'get',
    '/user/calls/{id}/turns',
    { params: { path: { id: callId ?? 0 } } },
    { enabled: callId !== null },
  );
  useEventStream(callId === null || isOver ? null : `/user/calls/${callId}/events`, ({ name }) => {
    if (name === 'ended') setOverId(callId);
    void refetch();
  });
  return { turns: data?.data.turns ?? [], status: data?.data.status ?? null, isOver };
}
