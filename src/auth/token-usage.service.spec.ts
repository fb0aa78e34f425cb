import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { partialFake } from '#src/common/partial.fake.js';
import { MAX_UNSAVED_USES, TokenUsageService } from './token-usage.service.js';

const ADDRESS = '203.0.113.7';

describe('TokenUsageService', () => {
  let written: [number[], (string | null)[]][];
  let isAway: boolean;
  let usage: TokenUsageService;

  beforeEach(() => {
    jest.useFakeTimers();
    [written, isAway] = [[], false];
    const query = async (_sql: string, uses: [number[], (string | null)[]]) => {
      if (isAway) throw new Error('away');
      written.push(uses);
    };
    usage = new TokenUsageService(
      partialFake<DataSource>({ query: query as never }),
      partialFake<DatabaseOutageService>({ reportOutage: () => true }),
    );
    usage.onApplicationBootstrap();
  });

  afterEach(() => void jest.useRealTimers());

  it('writes each token once with its last address, all of a second in one statement', async () => {
    usage.recordUse(1, '203.0.113.7');
    usage.recordUse(2, 'unknown');
    usage.recordUse(1, '::ffff:203.0.113.8');
    await jest.advanceTimersByTimeAsync(3_000);
    expect(written).toEqual([
      [
        [1, 2],
        ['203.0.113.8', null],
      ],
    ]);
  });

  it('retries failed writes', async () => {
    isAway = true;
    usage.recordUse(1, ADDRESS);
    await jest.advanceTimersByTimeAsync(2_000);
    isAway = false;
    usage.recordUse(2, ADDRESS);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written.map(([ids]) => ids)).toEqual([[1, 2]]);
  });

  it('writes pending uses when the process ends', async () => {
    usage.recordUse(1, ADDRESS);
    await usage.beforeApplicationShutdown();
    expect(written.map(([ids]) => ids)).toEqual([[1]]);
  });

  it('ends also while the database is unavailable', async () => {
    isAway = true;
    usage.recordUse(1, ADDRESS);
    await usage.beforeApplicationShutdown();
    expect(written).toEqual([]);
  });

  it('keeps a limited number of tokens', async () => {
    for (let id = 0; id <= MAX_UNSAVED_USES; id += 1) usage.recordUse(id, ADDRESS);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written.map(([ids]) => ids.length)).toEqual([MAX_UNSAVED_USES]);
  });
});
