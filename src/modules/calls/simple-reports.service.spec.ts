import { expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { fakeOf } from '#src/common/partial.fake.js';
import type { DomainEventsService } from '#src/events/domain-events.service.js';
import type { CallReport } from '../telephony/carrier-reports.js';
import type { CallMetricsService } from './call-metrics.service.js';
import { SimpleReportsService } from './simple-reports.service.js';

async function reported(...reports: Pick<CallReport, 'status' | 'answeredBy' | 'recordingUrl'>[]) {
  const written: unknown[] = [];
  const db = fakeOf<DataSource>({
    query: async (_text: string, [said]: string[]) => {
      const rows = JSON.parse(said ?? '') as { token: string }[];
      written.push(...rows);
      return [rows, rows.length] as never;
    },
  });
  const service = new SimpleReportsService(
    db,
    fakeOf<DomainEventsService>({}),
    fakeOf<CallMetricsService>({}),
  );
  const taken = await Promise.all(
    reports.map((report) => service.apply('call-1', { sid: 'CA1', ...report })),
  );
  return { written, taken };
}

it('puts together what is said of a call at the same time: one that was answered does not only ring', async () => {
  const expected = {
    n: 0,
    token: 'call-1',
    sid: 'CA1',
    status: 'in-progress',
    isHuman: true,
    recordingUrl: null,
  };
  const answered = { status: 'in-progress' } as const;
  const rings = { status: 'ringing' } as const;
  const human = { answeredBy: 'human' } as const;
  for (const reports of [
    [rings, answered, human],
    [human, answered, rings],
  ]) {
    expect(await reported(...reports)).toEqual({ written: [expected], taken: [true, true, true] });
  }
});

it('leaves reports that say more than one thing to others', async () => {
  const several = { status: 'in-progress', answeredBy: 'human' } as const;
  expect(await reported(several, { answeredBy: 'machine' })).toEqual({ written: [], taken: [false, false] });
});
