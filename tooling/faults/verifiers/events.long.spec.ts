import { describe, expect, it } from '@jest/globals';
import { verifyEvents, type AccountEvents, type EventObservations, type ReaderLog } from './events.js';

const STORED = [
  { seq: 1, callId: 7, kind: 'status', hash: 'a', itemSeq: null },
  { seq: 4, callId: 7, kind: 'turn', hash: 'b', itemSeq: 1 },
  { seq: 5, callId: 7, kind: 'ended', hash: 'c', itemSeq: null },
];
const received = STORED.map(({ seq: id, hash }) => ({ id, hash }));
const MEMORY = { heapBytes: 2 ** 26, residentBytes: 2 ** 27 };

const seen = (
  reader: Partial<ReaderLog> = {},
  account: Partial<AccountEvents> = {},
  rest: Partial<EventObservations> = {},
): EventObservations => ({
  accounts: [
    {
      name: 'main',
      stored: STORED,
      calls: [{ id: 7, isFinal: true, items: [1] }],
      readers: [{ name: 'reader 0', received, connections: 3, refusedAfterMs: 4_000, ...reader }],
      ...account,
    },
  ],
  running: { peak: 21, asked: 20 },
  lagsMs: [100, 200],
  memory: [{ before: MEMORY, after: MEMORY }],
  ...rest,
});
const grownBy = (bytes: Partial<typeof MEMORY>) => [{ before: MEMORY, after: { ...MEMORY, ...bytes } }];

describe('verifyEvents', () => {
  it('accepts every event once, in order and soon', () => {
    expect(verifyEvents(seen())).toEqual([]);
  });

  it.each<[string, Partial<ReaderLog>, RegExp]>([
    ['misses an event', { received: received.slice(1) }, /1 events are missing/],
    [
      'gets an event again',
      { received: [...received.slice(0, 2), ...received.slice(1)] },
      /1 events came again/,
    ],
    [
      'gets an event of another account',
      { received: [...received.slice(0, 1), { id: 2, hash: 'z' }, ...received.slice(1)] },
      /1 events are not of the account/,
    ],
    [
      'gets other data',
      { received: received.map((event) => ({ ...event, hash: 'b' })) },
      /2 events have other/,
    ],
    ['gets them out of order', { received: received.toReversed() }, /2 events came out of order/],
    ['never connects again', { connections: 1 }, /did not connect again/],
    ['is never refused', { refusedAfterMs: null }, /refused never/],
    ['is refused late', { refusedAfterMs: 11_000 }, /refused 11000 ms after/],
  ])('flags a reader that %s', (_, reader, problem) => {
    expect(verifyEvents(seen(reader))).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[string, Partial<AccountEvents>, RegExp[]]>([
    ['is not final', { calls: [{ id: 7, isFinal: false, items: [1] }] }, [/not final/]],
    ['has a turn without an event', { calls: [{ id: 7, isFinal: true, items: [1, 2] }] }, [/tool 2/]],
    ['has no events', { calls: [{ id: 8, isFinal: true, items: [] }] }, [/ended 0 times/]],
    [
      'tells more after its end',
      { stored: [...STORED.slice(0, 1), { ...STORED[2]!, seq: 4 }, { ...STORED[1]!, seq: 5 }] },
      [/after its end came turn 1/, /2 events have other data/],
    ],
  ])('flags a call that %s', (_, account, problems) => {
    expect(verifyEvents(seen({}, account))).toEqual(problems.map((text) => expect.stringMatching(text)));
  });

  it.each<[string, Partial<EventObservations>, RegExp]>([
    ['fewer calls at once than asked for', { running: { peak: 19, asked: 20 } }, /at most 19 of 20 calls/],
    ['late events', { lagsMs: [100, 6_000] }, /p99 is 6000 ms/],
    ['no event at a connected reader', { lagsMs: [] }, /no reader/],
    ['a heap that grows', { memory: grownBy({ heapBytes: 2 ** 27 }) }, /process 0: heap has grown by 64.0/],
    [
      'memory that grows',
      { memory: grownBy({ residentBytes: 2 ** 28 }) },
      /resident memory has grown by 128/,
    ],
  ])('flags %s', (_, rest, problem) => {
    expect(verifyEvents(seen({}, {}, rest))).toEqual([expect.stringMatching(problem)]);
  });
});
