import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { LiveEventStream } from './live-event-stream.js';
import { EVENT_READ_BATCH, type NumberedEvent } from './live-events.repository.js';

const NEWEST = 100 * EVENT_READ_BATCH;

const event = (seq: number, kind: NumberedEvent['kind'] = 'turn'): NumberedEvent => ({
  seq,
  kind,
  data: `{"n":${seq}}`,
});

interface Rows {
  callId?: number | null;
  read?: (after: number, newest: number) => Promise<NumberedEvent[]>;
}

/** A stream over events with the numbers from 1 on. */
function stream({ callId = null, read }: Rows = {}) {
  const asked: number[] = [];
  const rows = async (after: number, newest: number) =>
    Array.from({ length: Math.min(EVENT_READ_BATCH, newest - after) }, (_, i) => event(after + i + 1));
  const events = new LiveEventStream({
    accountId: 1,
    callId,
    user: { tokenHash: '', address: '' },
    read: (_, after, newest) => {
      asked.push(after);
      return (read ?? rows)(after, newest);
    },
  });
  return { events, asked };
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 10; n += 1) await turn();
};

function collected(events: LiveEventStream): string[] {
  const texts: string[] = [];
  events.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
  return texts;
}

const idsOf = (texts: string[]) => [...texts.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

describe('LiveEventStream', () => {
  it('reads no further batch until the client reads the one before', async () => {
    const { events, asked } = stream();
    events.startAfter(0, { isCallOver: false });
    events.readUpTo(NEWEST);
    await settled();
    for (let n = 0; n < 100; n += 1) {
      events.readUpTo(NEWEST + n);
      events.sendHeartbeat();
      await turn();
    }
    expect(asked.length).toBeLessThanOrEqual(1);
    expect(events.readableLength).toBeLessThan(100 * EVENT_READ_BATCH);

    const ids = idsOf(await events.take(5).map(String).toArray());
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    expect(asked.length).toBeLessThanOrEqual(7);
  });

  it('sends every event once and in order', async () => {
    const { events } = stream();
    events.startAfter(3, { isCallOver: false });
    const texts = collected(events);
    for (const newest of [3, 4, 4, 60, 200, 201]) {
      events.readUpTo(newest);
      await settled();
    }
    expect(idsOf(texts)).toEqual(Array.from({ length: 198 }, (_, i) => i + 4));
    expect(texts[0]).toBe('retry: 2000\n\n');
    expect(texts[1]).toBe('id: 4\nevent: turn\ndata: {"n":4}\n\n');
  });

  it('retries a failed read', async () => {
    let fails = true;
    const { events } = stream({
      read: async (after) => {
        if (fails) throw new Error('away');
        return [event(after + 1)];
      },
    });
    events.startAfter(0, { isCallOver: false });
    const texts = collected(events);
    events.readUpTo(1);
    await settled();
    fails = false;
    expect(idsOf(texts)).toEqual([]);
    events.readUpTo(1);
    await settled();
    expect(idsOf(texts)).toEqual([1]);
  });

  it("ends a call's stream with its event `ended`", async () => {
    const { events } = stream({ callId: 7, read: async () => [event(1), event(2, 'ended'), event(3)] });
    events.startAfter(0, { isCallOver: false });
    const texts = collected(events);
    events.readUpTo(3);
    await once(events, 'end');
    expect(idsOf(texts)).toEqual([1, 2]);
  });

  it("ends a final call's stream when all kept events are sent", async () => {
    const { events } = stream({ callId: 7, read: async () => [] });
    events.startAfter(5, { isCallOver: true });
    const texts = collected(events);
    events.readUpTo(9);
    await settled();
    events.readUpTo(9);
    await once(events, 'end');
    expect(idsOf(texts)).toEqual([]);
  });

  it('sends a comment only when no event is pending', async () => {
    const { events } = stream();
    events.startAfter(0, { isCallOver: false });
    events.sendHeartbeat();
    events.sendHeartbeat();
    const texts = collected(events);
    await settled();
    events.sendHeartbeat();
    await settled();
    expect(texts.filter((text) => text === ':\n\n').length).toBe(1);
  });
});
