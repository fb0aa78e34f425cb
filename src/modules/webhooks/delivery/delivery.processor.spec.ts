import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OutboundRequest, OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { NoSlotError } from '#src/common/persistence/keyed-concurrency-limiter.js';
import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { WebhookSecretsService } from '../webhook-secrets.service.js';
import type { ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryClaimsService } from './delivery-claims.service.js';
import type { DeliveryRecorderService } from './delivery-recorder.service.js';
import { DeliveryProcessor } from './delivery.processor.js';
import type { SendLocksService } from './send-locks.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

const URL_OF_RECEIVER = 'https://receiver.example.com/hook';
const LEASE_MS = 30_000;
/** Request and record: what a claim must last when its request begins. */
const NEEDED_MS = 20_000;

const ANSWER: OutboundResult = {
  ok: true,
  statusCode: 200,
  headers: {},
  body: '',
  truncated: false,
  durationMs: 1,
};
const ABORTED: OutboundResult = {
  ok: false,
  error: 'aborted',
  message: 'The request was aborted.',
  reason: 'aborted',
  durationMs: 1,
};

/** `locking` and `connecting` are the milliseconds that these take; `full`: the receiver has no slot in time. */
interface Conditions {
  locking?: number;
  connecting?: number;
  full?: boolean;
}

/** A processor with one claimed row. */
function aProcessor({ locking = 0, connecting = 0, full = false }: Conditions) {
  const row = {
    id: 1,
    accountId: 2,
    assistantId: 3,
    receiver: '2 receiver.example.com',
    url: URL_OF_RECEIVER,
    channel: 'post-call',
    secrets: [],
    leasedUntil: performance.now() + LEASE_MS,
  } as unknown as ClaimedDelivery;
  const seen = {
    sent: 0,
    recorded: 0,
    putBack: 0,
    enqueued: 0,
    released: 0,
    left: 0,
    tookMs: null as number | null,
  };
  const locks = {
    acquire: async () => {
      jest.advanceTimersByTime(locking);
      const permit = new AbortController();
      return {
        targets: { 'post-call': URL_OF_RECEIVER },
        signal: permit.signal,
        abort: () => permit.abort(),
        release: () => undefined,
      };
    },
  };
  /** As the real one: the signal decides until the request leaves. */
  const http = {
    request: async ({ signal, onStart }: OutboundRequest) => {
      jest.advanceTimersByTime(connecting);
      onStart?.();
      if (signal?.aborted) return ABORTED;
      seen.sent++;
      return ANSWER;
    },
  };
  const sender = new WebhookSenderService(
    locks as unknown as SendLocksService,
    {} as WebhookSecretsService,
    http as unknown as OutboundHttpService,
  );
  const processor = new DeliveryProcessor(
    { enqueue: () => void seen.enqueued++ } as unknown as JobQueue,
    {
      claim: async () => row,
      enter: async (_row: unknown, signal: AbortSignal) => {
        if (full) throw new NoSlotError('No slot was free in time');
        signal.throwIfAborted();
        return () => void seen.left++;
      },
      release: (_row: unknown, tookMs: number | null) => {
        if (seen.recorded > 0) throw new Error('the slot was held until the record');
        seen.released++;
        seen.tookMs = tookMs;
      },
    } as unknown as DeliveryClaimsService,
    { putBack: async () => void seen.putBack++ } as unknown as DeliveriesRepository,
    sender,
    { recordAttempt: async () => void seen.recorded++ } as unknown as DeliveryRecorderService,
  );
  return { processor, seen };
}

const SENT = { sent: 1, recorded: 1, putBack: 0, enqueued: 0, released: 1, left: 1, tookMs: 1 };
const PUT_BACK = { sent: 0, recorded: 0, putBack: 1, enqueued: 1, released: 1, left: 1, tookMs: null };

describe('DeliveryProcessor', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
  afterEach(() => void jest.useRealTimers());

  it('sends while the claim lasts for request and record', async () => {
    const { processor, seen } = aProcessor({ locking: LEASE_MS - NEEDED_MS });
    await processor.process('1');
    expect(seen).toEqual(SENT);
  });

  it('puts a delivery back whose claim may end before the request does', async () => {
    const { processor, seen } = aProcessor({ locking: LEASE_MS - NEEDED_MS + 1 });
    await processor.process('1');
    expect(seen).toEqual(PUT_BACK);
  });

  it('waits for a receiver that is slow to connect', async () => {
    const { processor, seen } = aProcessor({ connecting: 14_000 });
    await processor.process('1');
    expect(seen).toEqual(SENT);
  });

  it('sends nothing when the process stood still until the claim had ended', async () => {
    const { processor, seen } = aProcessor({ connecting: LEASE_MS });
    await processor.process('1');
    expect(seen).toEqual(PUT_BACK);
  });

  it('puts a delivery back whose receiver has no slot in time', async () => {
    const { processor, seen } = aProcessor({ full: true });
    await processor.process('1');
    expect(seen).toEqual({ ...PUT_BACK, left: 0 });
  });
});
