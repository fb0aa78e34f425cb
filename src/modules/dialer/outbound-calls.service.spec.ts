import { describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { EntityManager } from 'typeorm';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallsRepository } from '../calls/calls.repository.js';
import type { CallStateService } from '#src/modules/calls/states/call-state.service.js';
import type { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import type { CarrierRateService } from '../telephony/carrier-rate.service.js';
import type { CarrierCalls, PlaceCallRequest } from '../telephony/carrier-calls.js';
import { CarrierError } from '../telephony/carrier-error.js';
import type { CallAttemptsRepository } from './call-attempts.repository.js';
import { OutboundCallsService, callSlotSeconds, type CallToOpen } from './outbound-calls.service.js';

const INSTALLATION_SECONDS = 25;
const MAX_DURATION_SECONDS = 600;

describe('the time that a call rings', () => {
  const open = async (ringingTime: number | null) => {
    const held: number[] = [];
    const service = new OutboundCallsService(
      { calls: { ringTimeoutSeconds: INSTALLATION_SECONDS } } as RuntimeSettings,
      {} as CarrierCalls,
      { insertCalls: async () => [{ id: 1, token: 'token' }] } as unknown as CallsRepository,
      {} as CallStateService,
      {
        insertAttempts: async (_tx: unknown, attempts: { slotSeconds: number }[]) => {
          held.push(...attempts.map((attempt) => attempt.slotSeconds));
        },
      } as unknown as CallAttemptsRepository,
      {} as CarrierBreakerService,
      {} as CarrierRateService,
    );
    const call = {
      assistant: { ringingTime, variables: {} } as unknown as AssistantView,
      campaign: null,
      lead: null,
      variables: {},
      budget: { maxDurationSeconds: MAX_DURATION_SECONDS },
    } as unknown as CallToOpen;
    const { request } = await service.createCall({} as EntityManager, call);
    return [request.ringTimeoutSeconds, ...held];
  };

  it('is that of the assistant', async () => {
    expect(await open(7)).toEqual([7, callSlotSeconds(7, MAX_DURATION_SECONDS)]);
  });

  it('is that of the installation where the assistant has none', async () => {
    expect(await open(null)).toEqual([
      INSTALLATION_SECONDS,
      callSlotSeconds(INSTALLATION_SECONDS, MAX_DURATION_SECONDS),
    ]);
  });
});

describe('a request that the carrier refuses', () => {
  /** @returns what the breaker is told, and how the call ends; null: its outcome is asked for later */
  const refused = async (error: unknown, isOfCampaign = true) => {
    const told: unknown[] = [];
    let ended: string | null = null;
    const service = new OutboundCallsService(
      partialFake<RuntimeSettings>({}),
      partialFake<CarrierCalls>({
        placeCall: async () => {
          throw error;
        },
      }),
      partialFake<CallsRepository>({}),
      partialFake<CallStateService>({ markFailed: async (_, reason) => void (ended = reason) }),
      partialFake<CallAttemptsRepository>({ findCampaignId: async () => (isOfCampaign ? 1 : null) }),
      partialFake<CarrierBreakerService>({
        recordFailure: async (retryAfterMs) => void told.push(retryAfterMs),
        recordSuccess: async () => void told.push('works'),
      }),
      partialFake<CarrierRateService>({}),
    );
    await service.placeCall(1, {} as PlaceCallRequest);
    return { told, ended };
  };
  const rejected = (code: number, more = {}) => new CarrierError('no', 'rejected', { code, ...more });

  it.each([
    [20429, { retryable: true, retryAfterMs: 7_000 }, 7_000],
    [20003, { retryable: true }, null],
    [20005, { retryable: true }, null],
  ])('reports that the carrier fails for the code %i', async (code, more, retryAfterMs) => {
    expect(await refused(rejected(code, more))).toEqual({
      told: [retryAfterMs],
      ended: 'carrier_unavailable',
    });
    expect((await refused(rejected(code, more), false)).ended).toBe('carrier_rejected');
  });

  it.each([21211, 21214, 21217, 13223, 13224])(
    'reports that it works when the number is wrong (%i)',
    async (code) => {
      expect(await refused(rejected(code))).toEqual({ told: ['works'], ended: 'invalid_number' });
    },
  );

  it.each([21215, 13227, 21210])(
    'reports nothing about the carrier when it refuses this call only (%i)',
    async (code) => {
      expect(await refused(rejected(code))).toEqual({ told: [], ended: 'carrier_rejected' });
    },
  );

  it('fails without a response, and may have been placed', async () => {
    for (const error of [new CarrierError('The carrier did not answer', 'unknown'), new Error('reset')])
      expect(await refused(error)).toEqual({ told: [null], ended: null });
  });
});
