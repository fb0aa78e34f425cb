import { describe, expect, it } from '@jest/globals';
import { verifyOutage, type OutageObservations } from './carrier.js';

const lead = (fields: Partial<OutageObservations['rows'][number]> = {}) => ({
  id: 1,
  status: 'created',
  to: '+15005551001',
  attempts: 0,
  ...fields,
});
const called = lead({ status: 'completed', attempts: 1 });
/** Paused after a second, for a minute. */
const seen = (fields: Partial<OutageObservations> = {}): OutageObservations => ({
  status: 401,
  rows: [lead()],
  rowsAfter: [called],
  pausedAt: 1_000,
  recoveredAt: 60_000,
  requests: [100, 200, 1_500, 6_000, 16_000, 36_000, 61_000, 61_001],
  dialledAt: 61_001,
  waitedMs: 0,
  ...fields,
});

describe('verifyOutage', () => {
  it('accepts a pause with probes, and calls after it', () => {
    expect(verifyOutage(seen())).toEqual([]);
  });

  it('accepts a lead in a call that the carrier cannot look up', () => {
    expect(verifyOutage(seen({ rows: [lead({ status: 'processing', attempts: 1 })] }))).toEqual([]);
  });

  it('excludes the time in which the processes wait for a processor', () => {
    const late = { dialledAt: 100_000 };
    expect(verifyOutage(seen({ ...late, waitedMs: 10_000 }))).toEqual([]);
    expect(verifyOutage(seen({ ...late, waitedMs: 9_000 }))).toHaveLength(1);
  });

  it.each<[string, Partial<OutageObservations>]>([
    ['campaigns that are not paused', { pausedAt: null }],
    ['a request that is no probe', { requests: [100, 3_000] }],
    ['probes that follow one another too soon', { requests: [100, 6_000, 9_000] }],
    ['a lead that ended in the outage', { rows: [lead({ status: 'reached-max-retries' })] }],
    ['an attempt that was used up', { rows: [lead({ attempts: 1 })] }],
    ['an attempt that counts twice', { rowsAfter: [lead({ status: 'completed', attempts: 2 })] }],
    ['a call that does not count', { rowsAfter: [lead({ status: 'completed' })] }],
    ['a first dial after more than 30 s', { dialledAt: 90_001 }],
    ['no dial', { dialledAt: null }],
  ])('flags %s', (_, fields) => {
    expect(verifyOutage(seen(fields))).toHaveLength(1);
  });
});
