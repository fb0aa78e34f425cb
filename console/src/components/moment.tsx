import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { formatRelative, parseTime } from '#console/formats/time';
import { useSession } from '#console/session/session';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let now = Date.now();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** `3 min ago`, with the time in the account's zone on hover. @param at as the API tells it */
export function Moment({ at }: { at: string | null }) {
  const { times } = useSession();
  const current = useSyncExternalStore(subscribe, () => now);
  if (at === null) return '–';
  const time = parseTime(at);
  const absolute = `${times.dateTime(time)} ${times.zone}`;
  return (
    <Tooltip label={absolute}>
      <time dateTime={time.toISOString()} className="above-link" style={{ whiteSpace: 'nowrap' }}>
        {formatRelative(time, Math.max(current, Math.min(time.getTime(), current + TICK_MS)))}
      </time>
    </Tooltip>
  );
}
