import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { $api, api, type Schemas } from '#console/api/client';
import type { StreamState } from '#console/api/event-stream';
import { useEventStream } from '#console/api/use-event-stream';
import { isRunning, type Call } from './call-words';

export type Turn = Schemas['TurnResponse'];
type TurnEvent = Schemas['TurnEvent'];
type ToolEvent = Schemas['ToolEvent'];

const REREAD_MS = 1_500;
const DELIVERY_MS = 2_000;

/** A call with its turns, while it runs as they come. */
export function useCall(id: number) {
  const call = $api.useQuery('get', '/user/calls/{id}', { params: { path: { id } } });
  const turns = useQuery({ queryKey: ['turns', id], queryFn: ({ signal }) => readTurns(id, signal) });
  const live = useLiveTurns(id, call.data);
  const shown = mergeTurns(turns.data ?? [], live.turns);
  return {
    call,
    turns: { ...turns, data: turns.data === undefined ? undefined : shown },
    stream: live.stream,
  };
}

export function useDeliveries(callId: number) {
  return $api.useQuery(
    'get',
    '/user/webhook-deliveries',
    { params: { query: { call_id: callId, per_page: 100 } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ status }) => status === 'pending') ? DELIVERY_MS : false,
    },
  );
}

export async function readTurns(id: number, signal: AbortSignal): Promise<Turn[]> {
  const turns: Turn[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const query: { after_seq?: number } = after === 0 ? {} : { after_seq: after };
    const answer = await api.GET('/user/calls/{id}/turns', { params: { path: { id }, query }, signal });
    const page: Schemas['CallTurnsResponse'] | undefined = answer.data?.data;
    turns.push(...(page?.turns ?? []));
    // A running call names the place of the turns that follow: there are none yet.
    const next: number | null = page?.next_after_seq ?? null;
    after = page && page.turns.length > 0 && next !== after ? next : null;
  }
  return turns;
}

/** What the stream tells before the records are read again, which bring the times. */
function useLiveTurns(id: number, call: Call | undefined): { turns: Turn[]; stream: StreamState } {
  const client = useQueryClient();
  const [turns, setTurns] = useState<Turn[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Once watched, it is watched to its end.
  const [isWatched, setWatched] = useState(false);
  const runs =
    call !== undefined && call.status !== 'completed' && (isRunning(call) || call.status.startsWith('ended'));
  if (runs && !isWatched) setWatched(true);
  useEffect(() => () => clearTimeout(timer.current), []);

  const readAgain = (): void => {
    void client.invalidateQueries({ queryKey: ['turns', id] });
    void client.invalidateQueries({ queryKey: ['get', '/user/calls/{id}', { params: { path: { id } } }] });
    void client.invalidateQueries({ queryKey: ['get', '/user/webhook-deliveries'] });
  };
  const stream = useEventStream(isWatched ? `/user/calls/${id}/events` : null, ({ name, data }) => {
    if (name === 'turn') setTurns((known) => [...known, turnOf(data as TurnEvent)]);
    if (name === 'tool') setTurns((known) => [...known, toolOf(data as ToolEvent)]);
    clearTimeout(timer.current);
    timer.current = setTimeout(readAgain, name === 'status' ? 0 : REREAD_MS);
  });
  return { turns, stream };
}

const common = ({ seq, created_at }: TurnEvent | ToolEvent) => ({ seq, created_at, model_answers: [] });

const turnOf = (event: TurnEvent): Turn => ({
  ...common(event),
  role: event.role as Turn['role'],
  kind: event.kind as 'speech',
  text: event.text,
  interrupted: event.interrupted,
});

const toolOf = (event: ToolEvent): Turn => {
  const { name, status, status_code, duration_ms, error } = event;
  return {
    ...common(event),
    role: 'tool',
    text: null,
    interrupted: false,
    tool: {
      name,
      arguments: event.arguments ?? {},
      status: status as 'ok',
      status_code,
      duration_ms,
      error,
      result: '',
    },
  };
};

/** The records know more than the events, and later ones of the same number replace earlier ones. */
function mergeTurns(records: Turn[], live: Turn[]): Turn[] {
  if (live.length === 0) return records;
  const turns = new Map(live.map((turn) => [turn.seq, turn]));
  for (const turn of records) {
    const heard = turns.get(turn.seq);
    turns.set(turn.seq, heard?.interrupted ? { ...turn, text: heard.text, interrupted: true } : turn);
  }
  return [...turns.values()]
    .sort((a, b) => a.seq - b.seq)
    .filter(({ role, text }) => role === 'tool' || text !== '');
}
