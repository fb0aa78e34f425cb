import { useEffect, useEffectEvent, useState } from 'react';
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
