import { quantile } from '../neighbour/verify-neighbour.js';

/** An event as it is stored. */
export interface StoredEvent {
  seq: number;
  callId: number;
  kind: string;
  /** MD5 of its data. */
  hash: string;
  /** `seq` of the turn or of the use of a tool; null for other kinds. */
  itemSeq: number | null;
}

export interface CallFacts {
  id: number;
  isFinal: boolean;
  /** `seq` of its turns and tools. */
  items: number[];
}

export interface ReceivedEvent {
  id: number;
  hash: string;
}

export interface ReaderLog {
  name: string;
  /** Over all connections, in the order of arrival. */
  received: ReceivedEvent[];
  connections: number;
  /** From the revocation of its token to the refusal; null: not refused. */
  refusedAfterMs: number | null;
}

export interface AccountEvents {
  name: string;
  /** By `seq`. */
  stored: StoredEvent[];
  calls: CallFacts[];
  readers: ReaderLog[];
}

export interface Memory {
  heapBytes: number;
  residentBytes: number;
}

export interface EventObservations {
  accounts: AccountEvents[];
  /** Maximum number of concurrent calls, and the expected number. */
  running: { peak: number; asked: number };
  /** From the commit of an event to its arrival at a connected reader. */
  lagsMs: number[];
  /** Of each process, after a garbage collection, with all readers connected. */
  memory: { before: Memory; after: Memory }[];
}

/** A stream polls every 200 ms; the rest is for a busy machine. */
const MAX_LAG_P99_MS = 5_000;
const MAX_HEAP_GROWTH = 24 * 2 ** 20;
const MAX_RESIDENT_GROWTH = 96 * 2 ** 20;
/** Streams are checked every 5 s. */
const MAX_REVOKED_MS = 10_000;

/** Every reader receives every event of its account once and in order, soon, and no other; memory does not grow. */
export function verifyEvents({ accounts, running, lagsMs, memory }: EventObservations): string[] {
  const lag = quantile(lagsMs, 0.99);
  return [
    ...accounts.flatMap(accountProblems),
    ...(running.peak < running.asked
      ? [`at most ${running.peak} of ${running.asked} calls ran at once`]
      : []),
    ...(lagsMs.length === 0 ? ['no reader got an event while it was connected'] : []),
    ...(lag > MAX_LAG_P99_MS ? [`lag: p99 is ${Math.round(lag)} ms`] : []),
    ...memory.flatMap(({ before, after }, index) => [
      ...grown(`process ${index}: heap`, after.heapBytes - before.heapBytes, MAX_HEAP_GROWTH),
      ...grown(
        `process ${index}: resident memory`,
        after.residentBytes - before.residentBytes,
        MAX_RESIDENT_GROWTH,
      ),
    ]),
  ];
}

function accountProblems({ name, stored, calls, readers }: AccountEvents): string[] {
  return [
    ...calls.flatMap((call) => callProblems(name, call, stored)),
    ...readers.flatMap((reader) => readerProblems(`${name}, ${reader.name}`, reader, stored)),
  ];
}

/** Every change of a call has an event. */
function callProblems(account: string, { id, isFinal, items }: CallFacts, stored: StoredEvent[]): string[] {
  const events = stored.filter(({ callId }) => callId === id);
  const name = `${account}, call ${id}`;
  const told = new Set(events.map(({ itemSeq }) => itemSeq));
  const ends = events.filter(({ kind }) => kind === 'ended').length;
  const last = ends === 0 ? events.length : events.findIndex(({ kind }) => kind === 'ended');
  return [
    ...(isFinal ? [] : [`${name}: not final`]),
    ...(ends === 1 ? [] : [`${name}: ended ${ends} times`]),
    ...(last < events.length - 1 ? [`${name}: after its end came ${shown(events.slice(last + 1))}`] : []),
    ...items.filter((seq) => !told.has(seq)).map((seq) => `${name}: no event of turn or tool ${seq}`),
  ];
}

const shown = (events: StoredEvent[]): string =>
  events.map(({ kind, itemSeq }) => (itemSeq === null ? kind : `${kind} ${itemSeq}`)).join(', ');

function readerProblems(name: string, reader: ReaderLog, stored: StoredEvent[]): string[] {
  const { received, connections, refusedAfterMs } = reader;
  const own = new Map(stored.map(({ seq, hash }) => [seq, hash]));
  const ids = received.map(({ id }) => id);
  const got = new Set(ids);
  const missing = stored.filter(({ seq }) => !got.has(seq)).length;
  const strange = received.filter(({ id }) => !own.has(id)).length;
  const changed = received.filter(({ id, hash }) => own.has(id) && own.get(id) !== hash).length;
  const backwards = ids.filter((id, index) => id < (ids[index - 1] ?? 0)).length;
  const late = refusedAfterMs === null || refusedAfterMs > MAX_REVOKED_MS;
  return [
    ...(missing > 0 ? [`${name}: ${missing} events are missing`] : []),
    ...(ids.length > got.size ? [`${name}: ${ids.length - got.size} events came again`] : []),
    ...(strange > 0 ? [`${name}: ${strange} events are not of the account`] : []),
    ...(changed > 0 ? [`${name}: ${changed} events have other data`] : []),
    ...(backwards > 0 ? [`${name}: ${backwards} events came out of order`] : []),
    ...(connections < 2 ? [`${name}: it did not connect again`] : []),
    ...(late ? [`${name}: refused ${refusedAfterMs ?? 'never'} ms after the revocation of its token`] : []),
  ];
}

const grown = (what: string, bytes: number, limit: number): string[] =>
  bytes > limit ? [`${what} has grown by ${(bytes / 2 ** 20).toFixed(1)} MiB`] : [];
