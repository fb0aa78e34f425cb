import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { fakeOf } from '#src/common/partial.fake.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { LeadForDialling, LeadToJudge } from '../leads/lead-view.js';
import type { LeadQueueService } from '../leads/lead-queue.service.js';
import type { AccountsService, AccountView } from '../accounts/accounts.service.js';
import type { SuppressionsService } from '../suppressions/suppressions.service.js';
import type { CallAttemptsRepository } from './call-attempts.repository.js';
import { LeadSelectionService } from './lead-selection.service.js';

/** Iceland keeps UTC all year. */
const OPEN_NUMBER = '+3544101234';
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
  windows: [],
  strictTimezones: false,
  quietHours: 'none',
} as unknown as CampaignView;

const aLead = (id: number, fields: Partial<LeadToJudge> = {}): LeadToJudge => ({
  id,
  phoneNumber: OPEN_NUMBER,
  attempts: 0,
  timezone: null,
  contacts: [],
  ...fields,
});
const aContact = (id: number, phoneNumber: string, attempts = 0) => ({
  id,
  phoneNumber,
  attempts,
  timezone: null,
});

const NEXT_LEAD = 9_999;
const account = { id: 1, allowedCountries: null } as AccountView;
const nextLead: LeadForDialling = {
  id: NEXT_LEAD,
  phoneNumber: TOKYO_NUMBER,
  variables: {},
  status: 'created',
  attempts: 0,
  contacts: [],
};

/** Which of the leads after the next one, which is outside its window, are postponed, in how many writes. */
async function postponed(leads: LeadToJudge[]) {
  const all: ReadonlyMap<number, number>[] = [];
  const queue = fakeOf<LeadQueueService>({
    claimNext: async () => nextLead,
    claimToJudge: async (_tx, _id, limit) => leads.slice(0, limit),
    postpone: async (_tx, waits) => void all.push(waits),
  });
  const selection = new LeadSelectionService(
    fakeOf<AccountsService>({}),
    queue,
    fakeOf<SuppressionsService>({ isSuppressed: async () => false }),
    fakeOf<CallAttemptsRepository>({}),
  );
  expect(await selection.selectNext({} as EntityManager, campaign, account)).toBe('skipped');
  const [first, ...writes] = all;
  expect([...(first?.keys() ?? [])]).toEqual([NEXT_LEAD]);
  return { writes, ids: writes.flatMap((waits) => [...waits.keys()]) };
}

describe('LeadSelectionService', () => {
  it('postpones a bounded number of leads in one statement', async () => {
    const { writes, ids } = await postponed(
      Array.from({ length: 2_000 }, (_, index) => aLead(index, { phoneNumber: TOKYO_NUMBER })),
    );
    expect(writes).toHaveLength(1);
    expect(ids).toHaveLength(500);
  });

  it('does not change leads inside their window', async () => {
    const { ids } = await postponed([aLead(1), aLead(2, { timezone: 'Asia/Tokyo' }), aLead(3)]);
    expect(ids).toEqual([2]);
  });

  it('does not change a lead with one number that may be called', async () => {
    const { ids } = await postponed([
      aLead(1, { phoneNumber: TOKYO_NUMBER, contacts: [aContact(10, OPEN_NUMBER)] }),
      aLead(2, { phoneNumber: TOKYO_NUMBER, contacts: [aContact(20, OPEN_NUMBER, 3)] }),
      aLead(3, { phoneNumber: TOKYO_NUMBER, attempts: 3 }),
    ]);
    expect(ids).toEqual([2]);
  });

  it('judges a contact by its own time zone', async () => {
    const inTokyo = { ...aContact(10, OPEN_NUMBER), timezone: 'Asia/Tokyo' };
    const inIceland = { ...aContact(20, TOKYO_NUMBER), timezone: 'Atlantic/Reykjavik' };
    const { ids } = await postponed([
      aLead(1, { phoneNumber: TOKYO_NUMBER, contacts: [inTokyo] }),
      aLead(2, { phoneNumber: TOKYO_NUMBER, contacts: [inIceland] }),
    ]);
    expect(ids).toEqual([1]);
  });

  it('postpones a lead with an unknown time zone for an hour', async () => {
    const { writes } = await postponed([aLead(1, { timezone: 'Nowhere/At_All' })]);
    expect([...(writes[0] ?? [])]).toEqual([[1, 3_600_000]]);
  });

  it('keeps the numbers of a lead that may be dialled, and the one that was dialled', async () => {
    const suppressed = [TOKYO_NUMBER, '+14155550101'];
    const selection = new LeadSelectionService(
      fakeOf<AccountsService>({ view: async () => account }),
      fakeOf<LeadQueueService>({}),
      fakeOf<SuppressionsService>({ isSuppressed: async (_tx, _id, number) => suppressed.includes(number) }),
      fakeOf<CallAttemptsRepository>({}),
    );
    const { contacts: _, ...number } = nextLead;
    const contacts = [
      { ...number, id: 1, phoneNumber: '+14155550101' },
      { ...number, id: 2, phoneNumber: OPEN_NUMBER },
      { ...number, id: 3, phoneNumber: '+19005550100' },
    ];
    const lead = { ...nextLead, contacts };
    const dialable = await selection.dialableNumbers({} as EntityManager, account.id, lead, NEXT_LEAD);
    expect(dialable.map(({ id }) => id)).toEqual([NEXT_LEAD, 2]);
  });
});
