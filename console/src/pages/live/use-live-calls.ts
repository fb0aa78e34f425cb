import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { api, type Schemas } from '#console/api/client';
import type { StreamEvent } from '#console/api/event-stream';
import { useEventBatches } from '#console/api/use-event-stream';
import { RUNNING, type Call } from '#console/pages/calls/call-words';
import { readTurns } from '#console/pages/calls/use-call';

export interface LiveCall {
  call: Call;
  /** The newest last. */
  words: Words[];
  /** When its end was told, in milliseconds; null: it runs. */
  overAt: number | null;
}

export interface Words {
  seq: number;
  role: string;
  text: string;
}

/** How long a call that is over stays. */
const STAY_MS = 10_000;
/** Details of new calls are read for all of them at once. */
const REREAD_MS = 1_000;
const WORDS_KEPT = 2;
const PAGE = 100;
/** Of so many calls of a page the words that were said before are read. */
const MOST_READ = 30;
/** Nobody follows more. */
export const MOST_SHOWN = 500;

type Calls = ReadonlyMap<number, LiveCall>;

/** The calls that are shown; changed by the list and by the stream. */
class LiveCalls {
  private calls: Calls = new Map();
  private readonly listeners = new Set<() => void>();

  readonly get = (): Calls => this.calls;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly change = (change: (calls: Calls) => Calls): void => {
    const former = this.calls;
    this.calls = change(former);
    if (this.calls !== former) for (const listener of this.listeners) listener();
  };
}

/** @param table rows do not leave it while the mouse is over it */
export function useLiveCalls(table: RefObject<HTMLElement | null>) {
  const [store] = useState(() => new LiveCalls());
  const calls = useSyncExternalStore(store.subscribe, store.get);
  const client = useQueryClient();
  const list = useQuery({
    queryKey: RUNNING_KEY,
    // Rows that were read once may be gone by now.
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { rows, total } = await readRunning(signal);
      const added = rows.filter(({ id, status }) => status === 'in-progress' && !store.get().has(id));
      store.change((shown) => withRows(shown, rows));
      for (const { id } of added.slice(0, MOST_READ)) void readWords(store, id, signal);
      return { total };
    },
  });
  const reading = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(reading.current), []);
  const stream = useEventBatches(
    '/user/calls/events',
    (events) => {
      if (events.some(needsList)) {
        reading.current ??= setTimeout(() => {
          reading.current = undefined;
          void client.invalidateQueries({ queryKey: RUNNING_KEY });
        }, REREAD_MS);
      }
      const isHovered = table.current?.matches(':hover') ?? false;
      store.change((shown) => withoutOver(events.reduce(withEvent, shown), isHovered));
    },
    { isFromNow: true },
  );
  return { list, calls, stream };
}

const RUNNING_KEY = ['running-calls'];

/** Newest first. */
async function readRunning(signal: AbortSignal): Promise<{ rows: Call[]; total: number }> {
  const rows: Call[] = [];
  for (let page = 1; ; page += 1) {
    const query = { status: 'running', page, per_page: PAGE } as const;
    const { data } = await api.GET('/user/calls', { params: { query }, signal });
    rows.push(...(data?.data ?? []));
    const total = data?.total ?? 0;
    if (page * PAGE >= Math.min(total, MOST_SHOWN)) return { rows, total };
  }
}

/** A call has begun, or the stream has, after the list was read. */
const needsList = ({ name, data }: StreamEvent): boolean =>
  name === 'position' || (name === 'status' && (data as Schemas['StatusEvent']).status === 'initiated');

function withRows(shown: Calls, rows: Call[]): Calls {
  const next = new Map(shown);
  for (const call of rows) {
    const live = next.get(call.id);
    if (!live) next.set(call.id, { call, words: [], overAt: null });
  }
  return next;
}

/** What was said before the call was shown: the events of a call that is not shown yet are not kept. */
async function readWords(store: LiveCalls, id: number, signal: AbortSignal): Promise<void> {
  const turns = await readTurns(id, signal).catch(() => []);
  const said = turns.flatMap(({ seq, role, text }) =>
    role === 'tool' || text === null ? [] : [{ seq, role, text }],
  );
  store.change((shown) => {
    const live = shown.get(id);
    return live ? new Map(shown).set(id, { ...live, words: lastWords(said, live.words) }) : shown;
  });
}

/** Later ones replace those of the same number; of one without a text nothing was heard. */
function lastWords(known: readonly Words[], later: readonly Words[]): Words[] {
  const words = new Map([...known, ...later].map((one) => [one.seq, one]));
  return [...words.values()]
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.seq - b.seq)
    .slice(-WORDS_KEPT);
}

function withEvent(shown: Calls, { name, data }: StreamEvent): Calls {
  const { call_id: id } = data as { call_id?: number };
  const live = id === undefined ? undefined : shown.get(id);
  if (id === undefined || !live) return shown;
  const next = changed(live, name, data);
  return next === live ? shown : new Map(shown).set(id, next);
}

function changed(live: LiveCall, name: string, data: unknown): LiveCall {
  if (name === 'turn') {
    const { seq, role, text } = data as Schemas['TurnEvent'];
    return { ...live, words: lastWords(live.words, [{ seq, role, text }]) };
  }
  if (name !== 'status' && name !== 'ended') return live;
  const { status, answered_by } = data as Schemas['StatusEvent'];
  const call = {
    ...live.call,
    status,
    answered_by: (answered_by ?? live.call.answered_by) as Call['answered_by'],
  };
  return { ...live, call, overAt: RUNNING.includes(status) ? null : (live.overAt ?? Date.now()) };
}

function withoutOver(shown: Calls, isHovered: boolean): Calls {
  if (isHovered) return shown;
  const limit = Date.now() - STAY_MS;
  const gone = [...shown].filter(([, { overAt }]) => overAt !== null && overAt < limit);
  if (gone.length === 0) return shown;
  const next = new Map(shown);
  for (const [id] of gone) next.delete(id);
  return next;
}
