import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openEventStream, type StreamEvent, type StreamOptions, type StreamState } from './event-stream';

/** @param path of the API; null: no stream. `onEvent` gets each event once and in order. */
export function useEventStream(
  path: string | null,
  onEvent: (event: StreamEvent) => void,
  { isFromNow = false }: Pick<StreamOptions, 'isFromNow'> = {},
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const deliver = useEffectEvent(onEvent);
  useEffect(() => {
    if (path === null) return undefined;
    const stream = openEventStream({
      path,
      isFromNow,
      onEvent: (event) => deliver(event),
      onState: setState,
    });
    return stream.stop;
  }, [path, isFromNow]);
  return state;
}

/** Hundreds of calls bring many events a second. */
const BATCH_MS = 250;

/** The same for pages that show many calls: `onEvents` gets, four times a second, what has come since, or nothing. */
export function useEventBatches(
  path: string,
  onEvents: (events: StreamEvent[]) => void,
  options: Pick<StreamOptions, 'isFromNow'> = {},
): StreamState {
  const pending = useRef<StreamEvent[]>([]);
  const deliver = useEffectEvent(onEvents);
  useEffect(() => {
    const interval = setInterval(() => deliver(pending.current.splice(0)), BATCH_MS);
    return () => clearInterval(interval);
  }, []);
  return useEventStream(path, (event) => void pending.current.push(event), options);
}
