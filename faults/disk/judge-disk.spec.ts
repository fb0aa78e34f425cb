import { describe, expect, it } from '@jest/globals';
import { diskProblems, type Acknowledged, type DiskRun } from './judge-disk.js';

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
  it('accepts a run that lost nothing', () => {
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

  it('refuses a service that blames the client or does not come back', () => {
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

  it('refuses money that does not add up', () => {
    expect(diskProblems({ ...run, auditFindings: ['account 1: wrong'] })).toEqual(['account 1: wrong']);
  });

  it('refuses a run that filled nothing', () => {
    expect(diskProblems({ ...run, whileFull: new Map([[200, 5]]) })).toEqual(['the disk was never full']);
    expect(diskProblems({ ...run, acknowledged: [] })).toHaveLength(1);
  });
});
