import { useSyncExternalStore } from 'react';
import { formatDuration } from '#console/formats/duration';
import { parseTime } from '#console/formats/time';

const SECOND_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all of them. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), SECOND_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** How long something runs, counting. */
export function Elapsed({ since }: { since: string }) {
  const begin = parseTime(since).getTime();
  const seconds = useSyncExternalStore(subscribe, () => Math.floor((Date.now() - begin) / SECOND_MS));
  return <span>{formatDuration(seconds)}</span>;
}
