import { describe, expect, it } from '@jest/globals';
import type { DrainService } from '#src/health/drain.service.js';
import type { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import type { CarrierRateService } from '../telephony/carrier-rate.service.js';
import { CampaignDialProcessor } from './campaign-dial.processor.js';
import type { CampaignDialerService, DialStep } from './campaign-dialer.service.js';
import type { DialQueueService } from './dial-queue.service.js';
import type { OutboundCallsService } from './outbound-calls.service.js';

const DONE: DialStep = { calls: [], next: 'done' };
const POSTPONED: DialStep = { calls: [], next: 'again' };

const aCall = (id: number): DialStep => ({
  calls: [
    {
      id,
      request: {
        from: '+14155550100',
        to: '+15005550020',
        token: 'token',
        ringTimeoutSeconds: 30,
        maxDurationSeconds: 600,
        machineDetection: 'start',
      },
    },
  ],
  next: 'again',
});

/** A processor whose dialler takes these steps, and whose carrier answers when it is told to. */
function aProcessor(step: (count: number) => DialStep, slots = 0) {
  let steps = 0;
  const placed: number[] = [];
  const answers: (() => void)[] = [];
  const dialer = { next: async () => step(++steps) } as unknown as CampaignDialerService;
  const outboundCalls = {
    placeCall: (id: number) => {
      placed.push(id);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
  } as unknown as OutboundCallsService;
  const drain = { draining: false };
  const processor = new CampaignDialProcessor(
    { isSlotFree: async () => slots-- > 0 } as unknown as DialQueueService,
    dialer,
    outboundCalls,
    {} as CarrierBreakerService,
    {} as CarrierRateService,
    drain as DrainService,
  );
  return {
    processor,
    drain,
    placed,
    steps: () => steps,
    answer: () => answers.forEach((resolve) => resolve()),
  };
}

describe('CampaignDialProcessor', () => {
  it('takes no lead while its process is stopped', async () => {
    const { processor, drain, steps } = aProcessor(() => POSTPONED);
    drain.draining = true;
    expect(await processor.process('1')).toBe('done');
    expect(steps()).toBe(0);
  });

  it('ends a run after ten steps, however many leads are postponed', async () => {
    const { processor, steps } = aProcessor(() => POSTPONED);
    expect(await processor.process('1')).toBe('again');
    expect(steps()).toBe(10);
  });

  it('looks again when a slot became free before it said that it waits for one', async () => {
    const { processor, steps } = aProcessor(() => ({ calls: [], next: 'waits' }), 2);
    expect(await processor.process('1')).toBe('done');
    expect(steps()).toBe(3);
  });

  it('is done when there is nothing to do', async () => {
    const { processor, steps } = aProcessor((count) => (count < 3 ? POSTPONED : DONE));
    expect(await processor.process('1')).toBe('done');
    expect(steps()).toBe(3);
  });

  it('does not wait for a carrier that answers slowly', async () => {
    const { processor, placed } = aProcessor((count) => (count < 3 ? aCall(count) : DONE));
    expect(await processor.process('1')).toBe('done');
    expect(placed).toEqual([1, 2]);
  });

  it('waits for the carrier when the process stops', async () => {
    const { processor, answer } = aProcessor((count) => (count < 2 ? aCall(count) : DONE));
    await processor.process('1');
    let stopped = false;
    const stopping = processor.beforeApplicationShutdown().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    answer();
    await stopping;
  });
});
