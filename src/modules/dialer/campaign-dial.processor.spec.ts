import { describe, expect, it } from '@jest/globals';
import { partialFake } from '#src/common/partial.fake.js';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import type { DrainService } from '#src/health/drain.service.js';
import type { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import type { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import type { CarrierRateService } from '../telephony/carrier-rate.service.js';
import { CampaignDialProcessor } from './campaign-dial.processor.js';
import type { CampaignDialerService, DialRound } from './campaign-dialer.service.js';
import type { DialQueueService } from './dial-queue.service.js';
import type { OpenedCall, OutboundCallsService } from './outbound-calls.service.js';
import type { DialStep } from './ready-campaigns.service.js';

const aCall = (id: number): OpenedCall => ({
  id,
  request: {
    from: '+14155550100',
    to: '+15005550020',
    token: 'token',
    ringTimeoutSeconds: 30,
    maxDurationSeconds: 600,
    machineDetection: 'start',
  },
});

/** A campaign's account has its id and this. */
const ACCOUNT = 100;

type Step = { calls?: OpenedCall[]; next: DialStep | 'skipped' };

/** A processor whose dialler takes these steps, and whose carrier answers when it is told to. */
function aProcessor(step: (count: number, id: number, whenLocked: LockedRowPolicy) => Step | Promise<Step>) {
  const rounds: { ids: readonly number[]; whenLocked: LockedRowPolicy }[] = [];
  const placed: number[] = [];
  const woken: number[] = [];
  const answers: (() => void)[] = [];
  const dialer = partialFake<CampaignDialerService>({
    dialNext: async (ids, whenLocked) => {
      const count = rounds.push({ ids, whenLocked });
      const round: DialRound = { calls: [], next: new Map(), waiting: [] };
      for (const id of ids) {
        const { calls = [], next } = await step(count, id, whenLocked);
        round.calls.push(...calls);
        if (next !== 'skipped') round.next.set(id, next);
        if (next === 'waits') round.waiting.push(ACCOUNT + id);
      }
      return round;
    },
  });
  const outboundCalls = partialFake<OutboundCallsService>({
    placeCall: (id: number) => {
      placed.push(id);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
  });
  const drain = { draining: false };
  const processor = new CampaignDialProcessor(
    partialFake<DialQueueService>({
      dialWaitingCampaign: async (accountId) => void woken.push(accountId),
    }),
    dialer,
    outboundCalls,
    partialFake<CarrierBreakerService>({}),
    partialFake<CarrierRateService>({}),
    drain as DrainService,
    partialFake<CampaignDiallingService>({}),
  );
  return {
    processor,
    drain,
    placed,
    rounds,
    woken,
    answer: () => answers.forEach((resolve) => resolve()),
  };
}

describe('CampaignDialProcessor', () => {
  it('claims no lead while its process is stopped', async () => {
    const { processor, drain, rounds } = aProcessor(() => ({ next: 'again' }));
    drain.draining = true;
    expect(await processor.process('1')).toBe('done');
    expect(rounds).toEqual([]);
  });

  it('ends a run after ten steps, however many leads are postponed', async () => {
    const { processor, rounds } = aProcessor(() => ({ next: 'again' }));
    expect(await processor.process('1')).toBe('again');
    expect(rounds).toHaveLength(10);
  });

  it('looks for slots that become free before its campaigns are stored as waiting', async () => {
    const { processor, rounds, woken } = aProcessor((_, id) => ({ next: id === 2 ? 'done' : 'waits' }));
    await Promise.all(['1', '2', '3'].map((id) => processor.process(id)));
    expect(rounds).toHaveLength(1);
    expect(woken).toEqual([ACCOUNT + 1, ACCOUNT + 3]);
  });

  it('ends without due work', async () => {
    const { processor, rounds } = aProcessor((count) => ({ next: count < 3 ? 'again' : 'done' }));
    expect(await processor.process('1')).toBe('done');
    expect(rounds).toHaveLength(3);
  });

  it('claims campaigns that are due together in one transaction', async () => {
    const { processor, rounds, placed } = aProcessor((_, id) => ({ calls: [aCall(id)], next: 'done' }));
    await Promise.all(['1', '2', '3'].map((id) => processor.process(id)));
    expect(rounds).toEqual([{ ids: [1, 2, 3], whenLocked: 'skip' }]);
    expect(placed).toEqual([1, 2, 3]);
  });

  it('delays no campaign for a locked one, which is processed alone', async () => {
    let unlock = (): void => undefined;
    const lock = new Promise<void>((resolve) => (unlock = resolve));
    const { processor, rounds } = aProcessor(async (_, id, whenLocked) => {
      if (id === 2 && whenLocked === 'wait') await lock;
      return { next: id === 2 && whenLocked === 'skip' ? 'skipped' : 'done' };
    });
    const locked = processor.process('2');
    await Promise.all([processor.process('1'), processor.process('3')]);
    await processor.process('4');
    unlock();
    expect(await locked).toBe('done');
    expect(rounds.map(({ ids, whenLocked }) => [...ids, whenLocked])).toEqual([
      [2, 1, 3, 'skip'],
      [2, 'wait'],
      [4, 'skip'],
    ]);
  });

  it('tries campaigns alone that failed together, so that one fails no other', async () => {
    const { processor } = aProcessor((_, id) => {
      if (id === 2) throw new Error('broken');
      return { next: 'done' };
    });
    const runs = ['1', '2', '3'].map((id) => processor.process(id).catch((error: Error) => error.message));
    expect(await Promise.all(runs)).toEqual(['done', 'broken', 'done']);
  });

  it('does not wait for a carrier that responds slowly', async () => {
    const { processor, placed } = aProcessor((count) =>
      count < 3 ? { calls: [aCall(count)], next: 'again' } : { next: 'done' },
    );
    expect(await processor.process('1')).toBe('done');
    expect(placed).toEqual([1, 2]);
  });

  it('waits for the carrier when the process stops', async () => {
    const { processor, answer } = aProcessor((count) =>
      count < 2 ? { calls: [aCall(count)], next: 'again' } : { next: 'done' },
    );
    await processor.process('1');
    let stopped = false;
    const stopping = processor.beforeApplicationShutdown().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    answer();
    await stopping;
  });
});
