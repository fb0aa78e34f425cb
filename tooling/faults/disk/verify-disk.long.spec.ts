import { describe, expect, it } from '@jest/globals';
import { diskProblems, type Acknowledged, type DiskRun } from './verify-disk.js';

const leads = Array.from({ length: 100 }, (_, index): Acknowledged => ({ kind: 'lead', id: index + 1 }));
const run: DiskRun = {
  acknowledged: leads,
  stored: { lead: new Set(leads.map(({ id }) => id)), message: new Set() },
  whileFull: new Map([
    [200, 3],
    [500, 10],
    [0, 1],
  ]),
  misshapen: [],
  recoveredMs: 900,
  auditFindings: [],
};

describe('diskProblems', () => {
  it('accepts a run without a lost row', () => {
    expect(diskProblems(run)).toEqual([]);
  });

  it('refuses a lost row', () => {
    const stored = { ...run.stored, lead: new Set(leads.slice(1).map(({ id }) => id)) };
    expect(diskProblems({ ...run, stored })).toEqual(['lead 1 was acknowledged and is lost']);
  });

  it('keeps leads and messages apart', () => {
    const acknowledged: Acknowledged[] = [...leads, { kind: 'message', id: 1 }];
    expect(diskProblems({ ...run, acknowledged })).toEqual(['message 1 was acknowledged and is lost']);
  });

  it('refuses a service that responds with 4xx or does not recover', () => {
    expect(
      diskProblems({
        ...run,
        whileFull: new Map([
          [422, 2],
          [500, 1],
        ]),
      }),
    ).toHaveLength(1);
    expect(diskProblems({ ...run, recoveredMs: null })).toHaveLength(1);
  });

  it('refuses findings of the ledger audit', () => {
    expect(diskProblems({ ...run, auditFindings: ['account 1: wrong'] })).toEqual(['account 1: wrong']);
  });

  it('refuses a run that does not fill the disk', () => {
    expect(diskProblems({ ...run, whileFull: new Map([[200, 5]]) })).toEqual(['the disk was never full']);
    expect(diskProblems({ ...run, acknowledged: [] })).toHaveLength(1);
  });
});
