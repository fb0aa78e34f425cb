import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { partialFake } from '#src/common/partial.fake.js';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookMetricsService } from '../webhook-metrics.service.js';
import type { ClaimedDelivery } from './deliveries.repository.js';
import { DeliveryRecorderService } from './delivery-recorder.service.js';
import type { ReceiverCircuitBreakerService } from './receiver-circuit-breaker.service.js';

const URL_OF_RECEIVER = 'https://receiver.example.com/hook';
const PAUSE_MS = 1_000;
const GATHER_MS = 5;

const aRow = (id: number): ClaimedDelivery =>
  partialFake<ClaimedDelivery>({ id, assistantId: 1, channel: 'post-call', test: false, roundAttempts: 0 });
const answered = (statusCode: number): OutboundResult => ({
  ok: true,
  statusCode,
  headers: {},
  body: '',
  truncated: false,
  durationMs: 1,
});

/** `fails` says for a batch whether the database refuses it. */
function aRecorder(fails: (ids: number[]) => boolean = () => false) {
  const batches: number[][] = [];
  const retried: number[] = [];
  const values: unknown[][] = [];
  const db = partialFake<DataSource>({
    query: (async (_text: string, sent: [string, ...unknown[]]) => {
      const ids = (JSON.parse(sent[0]) as { id: number }[]).map(({ id }) => id);
      if (fails(ids)) throw new Error('refused');
      batches.push(ids);
      values.push(sent);
      return [{ failingTooLong: [] }];
    }) as DataSource['query'],
  });
  const recorder = new DeliveryRecorderService(
    partialFake<JobQueue>({ enqueue: (_kind, { id }) => void retried.push(Number(id)) }),
    db,
    partialFake<ReceiverCircuitBreakerService>({}),
    partialFake<WebhookMetricsService>({ observeAttempt: () => undefined, countDeliveries: () => undefined }),
  );
  const record = (id: number, statusCode = 200) =>
    recorder.recordAttempt(aRow(id), URL_OF_RECEIVER, answered(statusCode));
  return { record, batches, retried, values };
}

describe('DeliveryRecorderService', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('writes attempts together that end within five milliseconds of each other', async () => {
    const { record, batches } = aRecorder();
    const first = record(1);
    await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
    const second = record(2);
    await jest.advanceTimersByTimeAsync(1);
    await Promise.all([first, second]);
    expect(batches).toEqual([[1, 2]]);
  });

  it('writes the others of a batch with a row that the database refuses, and retries that row', async () => {
    let refused = 0;
    const { record, batches } = aRecorder((ids) => ids.includes(2) && ++refused < 3);
    const all = Promise.all([1, 2, 3].map((id) => record(id)));
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect(batches).toEqual([[1], [3]]);
    await jest.advanceTimersByTimeAsync(PAUSE_MS + GATHER_MS);
    await all;
    expect(batches).toEqual([[1], [3], [2]]);
  });

  it('writes each attempt once when the database returns', async () => {
    let isAway = true;
    const { record, batches } = aRecorder(() => isAway);
    const all = Promise.all([1, 2].map((id) => record(id)));
    await jest.advanceTimersByTimeAsync(3 * PAUSE_MS);
    isAway = false;
    await jest.advanceTimersByTimeAsync(PAUSE_MS + 2 * GATHER_MS);
    await all;
    expect(batches.flat().toSorted()).toEqual([1, 2]);
  });

  it('plans the next attempt only when the failed one is written', async () => {
    let isAway = true;
    const { record, retried } = aRecorder(() => isAway);
    const failed = record(1, 500);
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect(retried).toEqual([]);
    isAway = false;
    await jest.advanceTimersByTimeAsync(PAUSE_MS + GATHER_MS);
    await failed;
    expect(retried).toEqual([1]);
  });

  it('counts a channel with a simultaneous success and failure as successful', async () => {
    const { record, values } = aRecorder();
    const both = [record(1), record(2, 500)];
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    await Promise.all(both);
    expect(values[0]?.[1]).toBe('[{"assistantId":1,"channel":"post-call"}]');
    expect(values).toEqual([[expect.any(String), expect.any(String)]]);
  });
});
