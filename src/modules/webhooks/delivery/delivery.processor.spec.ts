import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { OutboundRequest, OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import type { OutboundHttpService } from '#src/common/outbound-http/outbound-http.service.js';
import { partialFake } from '#src/common/partial.fake.js';
import type { JobQueue } from '#src/queue/job-queue.js';
import type { AssistantsService } from '../../assistants/assistants.service.js';
import type { WebhookSecretsService } from '../webhook-secrets.service.js';
import type { ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryClaimsService } from './delivery-claims.service.js';
import type { DeliveryRecorderService } from './delivery-recorder.service.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { WebhookSenderService } from './webhook-sender.service.js';

const URL_OF_RECEIVER = 'https://receiver.example.com/hook';
const LEASE_MS = 30_000;
/** Request and record: what a claim must last when its request begins. */
const NEEDED_MS = 20_000;
const STEP_MS = 50;

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

/** For this long a URL may be used after it was read. */
const VALID_MS = 500;

interface Conditions {
  /** Milliseconds until the URL is read. */
  reading?: number;
  /** Milliseconds until the connection stands. */
  connecting?: number;
  /** The process stands still from when the connection stands. */
  frozen?: number;
  /** The database is away from when the URL is read. */
  databaseGone?: boolean;
  /** The URL from the second time on that it is read. */
  urlAfterwards?: string | null;
}

/** A processor with one claimed row. */
function aProcessor({
  reading = 0,
  connecting = 0,
  frozen = 0,
  databaseGone = false,
  urlAfterwards = URL_OF_RECEIVER,
}: Conditions) {
  const row = partialFake<ClaimedDelivery>({
    id: 1,
    accountId: 2,
    assistantId: 3,
    receiver: '2 receiver.example.com',
    url: URL_OF_RECEIVER,
    channel: 'post-call',
    secrets: [],
    leasedUntil: performance.now() + LEASE_MS,
  });
  const seen = { sent: 0, recorded: 0, putBack: 0, enqueued: 0, released: 0 };
  let reads = 0;
  const assistants = partialFake<AssistantsService>({
    webhookTarget: async () => {
      const validUntil = performance.now() + VALID_MS;
      if (++reads === 1) {
        await jest.advanceTimersByTimeAsync(reading);
        return { url: URL_OF_RECEIVER, validUntil: performance.now() + VALID_MS };
      }
      if (databaseGone) throw new Error('no database');
      return urlAfterwards === null ? null : { url: urlAfterwards, validUntil };
    },
  });
  /** As the real one: the signal decides until the request leaves. */
  const http = partialFake<OutboundHttpService>({
    request: async ({ signal, onStart }: OutboundRequest) => {
      for (let waited = 0; waited < connecting && !signal?.aborted; waited += STEP_MS)
        await jest.advanceTimersByTimeAsync(STEP_MS);
      if (signal?.aborted) return ABORTED;
      const now = performance.now();
      if (frozen > 0) jest.spyOn(performance, 'now').mockReturnValue(now + frozen);
      onStart?.();
      if (signal?.aborted) return ABORTED;
      seen.sent++;
      // A request that has left is not stopped.
      await jest.advanceTimersByTimeAsync(2 * VALID_MS);
      return signal?.aborted ? ABORTED : ANSWER;
    },
  });
  const processor = new DeliveryProcessor(
    partialFake<JobQueue>({ enqueue: () => void seen.enqueued++ }),
    partialFake<DeliveryClaimsService>({
      claimDelivery: async () => row,
      releaseSlot: () => {
        if (seen.recorded > 0) throw new Error('the slot was held until the record');
        seen.released++;
      },
    }),
    partialFake<DeliveriesRepository>({ requeueDelivery: async () => void seen.putBack++ }),
    new WebhookSenderService(
      assistants,
      partialFake<WebhookSecretsService>({ signingSecrets: async () => [] }),
      http,
    ),
    partialFake<DeliveryRecorderService>({ recordAttempt: async () => void seen.recorded++ }),
  );
  return { processor, seen };
}

const SENT = { sent: 1, recorded: 1, putBack: 0, enqueued: 0, released: 1 };
const PUT_BACK = { sent: 0, recorded: 0, putBack: 1, enqueued: 1, released: 1 };

describe('DeliveryProcessor', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each<[string, Conditions, typeof SENT]>([
    ['sends while the claim lasts for request and record', { reading: LEASE_MS - NEEDED_MS }, SENT],
    [
      'puts a delivery back whose claim may end before the request does',
      { reading: LEASE_MS - NEEDED_MS + 1 },
      PUT_BACK,
    ],
    ['waits for a receiver that is slow to connect, while its URL stays', { connecting: 14_000 }, SENT],
    ['sends nothing when the process stood still since the URL was read', { frozen: VALID_MS + 1 }, PUT_BACK],
    [
      'sends nothing after a wait in which the URL could not be read again',
      { connecting: VALID_MS + STEP_MS, databaseGone: true },
      PUT_BACK,
    ],
    [
      'awaits the answer of a request that left before the webhook was switched off',
      { urlAfterwards: null },
      SENT,
    ],
    [
      'gives up a connection when the webhook is switched off meanwhile',
      { connecting: 14_000, urlAfterwards: null },
      PUT_BACK,
    ],
    [
      'gives up a connection when the URL is changed meanwhile',
      { connecting: 14_000, urlAfterwards: 'https://other.example.com' },
      PUT_BACK,
    ],
  ])('%s', async (_what, conditions, expected) => {
    const { processor, seen } = aProcessor(conditions);
    await processor.process('1');
    expect(seen).toEqual(expected);
  });
});
