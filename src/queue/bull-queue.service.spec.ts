import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { BullQueueService, type BullRowQueue } from './bull-queue.service.js';
import type { JobRow } from './job-queue.js';

const MAX_ROWS = 50;

interface Added {
  data: { rows: JobRow[] };
  delay: number;
}

/** A queue as Bull's, whose jobs are in `added`; `run` has its worker do one. */
function aBullQueue(isAway = false) {
  const added: Added[] = [];
  let work: (job: { data: unknown }) => Promise<void> = async () => undefined;
  const told = new EventEmitter();
  const queue = Object.assign(new EventEmitter(), {
    name: 'webhook-delivery',
    client: new EventEmitter(),
    add: async (data: Added['data'], { delay }: { delay: number }) => {
      added.push({ data, delay });
      told.emit('added');
      if (isAway) throw new Error('no Redis');
    },
    process: async (_concurrency: number, worker: typeof work) => void (work = worker),
    pause: async () => undefined,
  });
  const service = new BullQueueService([queue as unknown as BullRowQueue]);
  return { service, added, told, run: (data: unknown) => work({ data }) };
}

const row = (id: number): JobRow => ({ id: String(id), accountId: 1 });

describe('BullQueueService', () => {
  it('names rows that are due at once in one job, up to its size', async () => {
    const { service, added, told } = aBullQueue();
    const rows = Array.from({ length: MAX_ROWS + 1 }, (_, index) => row(index));
    for (const one of rows) service.enqueue('webhook-delivery', one);
    expect(added).toEqual([]);
    await once(told, 'added');
    expect(added.map(({ data }) => data.rows)).toEqual([rows.slice(0, MAX_ROWS), rows.slice(MAX_ROWS)]);
    service.enqueue('webhook-delivery', row(100));
    await once(told, 'added');
    expect(added.at(-1)).toEqual({ data: { rows: [row(100)] }, delay: 0 });
  });

  it('creates a separate job for a delayed row', () => {
    const { service, added } = aBullQueue();
    service.enqueue('webhook-delivery', row(1), 5_000);
    service.enqueue('webhook-delivery', row(2), 5_000);
    expect(added).toEqual([
      { data: { rows: [row(1)] }, delay: 5_000 },
      { data: { rows: [row(2)] }, delay: 5_000 },
    ]);
  });

  it('hands over each row of a job, and the row of a job of an older version', async () => {
    const { service, run } = aBullQueue();
    const handed: JobRow[] = [];
    await service.start((_kind, one) => handed.push(one) > 0);
    await run({ rows: [row(1), row(2)] });
    await run({ id: '3' });
    expect(handed).toEqual([row(1), row(2), { id: '3', accountId: 0 }]);
  });

  it('offers a row to this process while it works on rows, else to the queue', async () => {
    const { service, added, told } = aBullQueue();
    const handed: JobRow[] = [];
    service.offerLocally('webhook-delivery', row(1));
    await once(told, 'added');
    expect(added).toHaveLength(1);
    await service.start((_kind, one) => handed.push(one) > 0);
    service.offerLocally('webhook-delivery', row(2));
    expect(handed).toEqual([row(2)]);
    await service.stop();
    service.offerLocally('webhook-delivery', row(3));
    await once(told, 'added');
    expect(handed).toHaveLength(1);
  });

  it('does not throw while Redis is unavailable', async () => {
    const { service, told } = aBullQueue(true);
    service.enqueue('webhook-delivery', row(1));
    await once(told, 'added');
  });
});
