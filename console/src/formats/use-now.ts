import { useSyncExternalStore } from 'react';

/** How late `useNow` may be. */
export const TICK_MS = 15_000;
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

/** What is read from the time of the last tick, in milliseconds; draws again only when it has changed. */
export const useTicking = <T extends string | number>(read: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(now));

/** Milliseconds since the epoch, as they were at the last tick. */
export const useNow = (): number => useTicking((tick) => tick);
