import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { RestoreGateService } from '#src/database/restore-gate.service.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import { partialFake } from '#src/common/partial.fake.js';
import { DrainService } from './drain.service.js';

interface World {
  /** `DRAIN_SECONDS` */
  seconds?: number | null;
  others?: number;
  isDatabaseUnavailable?: boolean;
}

function aProcess({ seconds = null, others = 0, isDatabaseUnavailable = false }: World) {
  const query = async () => {
    if (isDatabaseUnavailable) throw new Error('away');
    return [{ count: others }];
  };
  const drain = new DrainService(
    partialFake<DataSource>({ query: query as DataSource['query'] }),
    partialFake<RuntimeSettings>({
      processName: 'calls-all-1',
      calls: { drainSeconds: seconds } as RuntimeSettings['calls'],
    }),
    partialFake<RestoreGateService>({ isHeld: false }),
  );
  let calls = 2;
  drain.registerCallCount(() => calls);
  return { drain, hangUp: () => (calls = 0) };
}

const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
Logger.overrideLogger(false);

describe('DrainService', () => {
  afterEach(() => void log.mockClear());

  it.each([
    ['alone', {}, 60, true],
    ['beside others', { others: 2 }, 30, false],
    ['without a database', { isDatabaseUnavailable: true }, 60, true],
    ['with DRAIN_SECONDS', { seconds: 45, others: 2 }, 45, false],
  ])('%s waits for running calls', async (_, world, seconds, refuses) => {
    const { drain, hangUp } = aProcess(world);
    expect(drain.draining).toBe(false);
    const drained = drain.drain();
    expect(drain.draining).toBe(true);
    await new Promise(setImmediate);
    expect(log).toHaveBeenCalledWith(`2 calls are running: waiting for their end, ${seconds} s at most`);
    expect(drain.refusesIncomingCalls).toBe(refuses);
    hangUp();
    await drained;
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('transfers remaining calls to another process at the end', async () => {
    await aProcess({ seconds: 0 }).drain.drain();
    expect(log).toHaveBeenLastCalledWith('2 calls are handed over');
  });

  it('logs nothing without calls', async () => {
    const { drain, hangUp } = aProcess({});
    hangUp();
    await drain.drain();
    expect(log).not.toHaveBeenCalled();
  });
});
