import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { LeadToJudge } from '../leads/lead-view.js';
import type { LeadQueueService } from '../leads/lead-queue.service.js';
import { ClosedLeadsService } from './closed-leads.service.js';

const OPEN_NUMBER = '+14155550100';
/** Its whole country keeps one time, which is not UTC's. */
const TOKYO_NUMBER = '+81312345678';

const hour = (at: number): string => `${String((at + 24) % 24).padStart(2, '0')}:00`;

/** Open in UTC from an hour ago to in two hours, and therefore closed nine hours to the east. */
const campaign = {
  id: 1,
  maxRetries: 3,
  timezone: 'UTC',
  allowedHoursStartTime: hour(new Date().getUTCHours() - 1),
  allowedHoursEndTime: hour(new Date().getUTCHours() + 2),
  allowedDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
} as unknown as CampaignView;

const aLead = (id: number, fields: Partial<LeadToJudge> = {}): LeadToJudge => ({
  id,
  phoneNumber: OPEN_NUMBER,
  attempts: 0,
  timezone: null,
  contacts: [],
  ...fields,
});
const aContact = (id: number, phoneNumber: string, attempts = 0) => ({ id, phoneNumber, attempts });

/** Which leads are put off, in how many writes. */
async function putOff(leads: LeadToJudge[]) {
  const writes: ReadonlyMap<number, number>[] = [];
  const rows = {
    claimToJudge: async (_tx: EntityManager, _id: number, limit: number) => leads.slice(0, limit),
    postpone: async (_tx: EntityManager, waits: ReadonlyMap<number, number>) => void writes.push(waits),
  } as unknown as LeadQueueService;
  await new ClosedLeadsService(rows).putOff({} as EntityManager, campaign);
  return { writes, ids: writes.flatMap((waits) => [...waits.keys()]) };
}

describe('ClosedLeadsService', () => {
  it('puts a bounded number of leads off in one write', async () => {
    const { writes, ids } = await putOff(
      Array.from({ length: 2_000 }, (_, index) => aLead(index, { phoneNumber: TOKYO_NUMBER })),
    );
    expect(writes).toHaveLength(1);
    expect(ids).toHaveLength(500);
  });

  it('leaves those inside their window where they are', async () => {
    const { ids } = await putOff([aLead(1), aLead(2, { timezone: 'Asia/Tokyo' }), aLead(3)]);
    expect(ids).toEqual([2]);
  });

  it('leaves a lead of which one number may be called, for the dialler to decide which', async () => {
    const { ids } = await putOff([
      aLead(1, { phoneNumber: TOKYO_NUMBER, contacts: [aContact(10, OPEN_NUMBER)] }),
      aLead(2, { phoneNumber: TOKYO_NUMBER, contacts: [aContact(20, OPEN_NUMBER, 3)] }),
      aLead(3, { phoneNumber: TOKYO_NUMBER, attempts: 3 }),
    ]);
    expect(ids).toEqual([2]);
  });

  it('puts a lead whose zone does not exist off for an hour', async () => {
    const { writes } = await putOff([aLead(1, { timezone: 'Nowhere/At_All' })]);
    expect([...(writes[0] ?? [])]).toEqual([[1, 3_600_000]]);
  });
});
