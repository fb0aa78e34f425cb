import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallsRepository } from '../calls/calls.repository.js';
import type { CallStateService } from '../calls/call-state.service.js';
import type { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import type { CarrierRateService } from '../telephony/carrier-rate.service.js';
import type { Carrier } from '../telephony/carrier.js';
import type { CallAttemptsRepository } from './call-attempts.repository.js';
import { OutboundCallsService, slotSeconds, type CallToOpen } from './outbound-calls.service.js';

const INSTALLATION_SECONDS = 25;
const MAX_DURATION_SECONDS = 600;

describe('the time that a call rings', () => {
  const open = async (ringingTime: number | null) => {
    const held: number[] = [];
    const service = new OutboundCallsService(
      { calls: { ringTimeoutSeconds: INSTALLATION_SECONDS } } as RuntimeSettings,
      {} as Carrier,
      { insertCalls: async () => [{ id: 1, token: 'token' }] } as unknown as CallsRepository,
      {} as CallStateService,
      {
        insertAttempts: async (_: unknown, attempts: { slotSeconds: number }[]) =>
          held.push(...attempts.map((attempt) => attempt.slotSeconds)),
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
    expect(await open(7)).toEqual([7, slotSeconds(7, MAX_DURATION_SECONDS)]);
  });

  it('is that of the installation where the assistant has none', async () => {
    expect(await open(null)).toEqual([
      INSTALLATION_SECONDS,
      slotSeconds(INSTALLATION_SECONDS, MAX_DURATION_SECONDS),
    ]);
  });
});
