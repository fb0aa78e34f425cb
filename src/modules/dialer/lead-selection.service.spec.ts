import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { partialFake } from '#src/common/partial.fake.js';
import type { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { LeadClaimsRepository, LeadGroup, QueuedLead } from '../leads/lead-claims.repository.js';
import type { AccountsService, AccountView } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CallerIdsService } from './caller-ids.service.js';
import type { CallAttemptsRepository, NumberCallState } from './call-attempts.repository.js';
import { LeadSelectionService } from './lead-selection.service.js';
import { zoneKeyOf } from '../leads/zone-key.js';

/** Iceland keeps UTC all year. */
const OPEN_NUMBER = '+3544101234';
const OPEN = zoneKeyOf({ phoneNumber: OPEN_NUMBER, variables: {} });
/** Its whole country keeps one time, which is not UTC's. */
const TOKYO_NUMBER = '+81312345678';
const TOKYO = 'Asia/Tokyo@JP';
const PREMIUM_NUMBER = '+19005550100';

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
const account = { id: 1, allowedCountries: null } as AccountView;
const assistant = {} as AssistantView;
const tx = {} as EntityManager;
const FROM = '+14155550100';

const aContact = (id: number, phoneNumber: string, attempts = 0, variables = {}) => ({
  id,
  phoneNumber,
  attempts,
  variables,
  status: 'created' as const,
  numberInvalid: false,
});
const aLead = (id: number, fields: Partial<QueuedLead> = {}): QueuedLead => ({
  ...aContact(id, OPEN_NUMBER),
  campaignId: 1,
  contacts: [],
  zone: OPEN,
  ...fields,
});
const group = (zone: string | null, dueAt = new Date(0)): LeadGroup => ({
  campaignId: 1,
  status: 'created',
  zone,
  dueAt,
});

interface Queue {
  groups?: LeadGroup[];
  leads?: QueuedLead[];
  withoutZone?: QueuedLead[];
  facts?: Record<string, Partial<NumberCallState>>;
}

/** A selection over this queue, and what it writes. */
function aSelection({ groups = [], leads = [], withoutZone = [], facts = {} }: Queue) {
  const written = {
    asked: [] as string[],
    zones: {} as Record<number, string>,
    settled: {} as Record<number, string>,
    postponed: {} as Record<number, number>,
    limited: {} as Record<number, number>,
    dialled: {} as Record<number, number>,
  };
  const into =
    <V>(target: Record<number, V>) =>
    async (_: EntityManager, values: ReadonlyMap<number, V>) =>
      void Object.assign(target, Object.fromEntries(values));
  const claims = partialFake<LeadClaimsRepository>({
    findGroups: async () => (withoutZone.length > 0 ? [...groups, group(null)] : groups),
    claimDue: async (_tx, asked, limits) => {
      written.asked = asked.map(({ zone }) => String(zone));
      const own = (id: number) => leads.filter(({ campaignId }) => campaignId === id);
      return [...limits].flatMap(([id, limit]) => own(id).slice(0, limit));
    },
    claimLeadsWithoutZone: async (_tx, _ids, limit) => withoutZone.slice(0, limit),
    setZones: into(written.zones),
    setFinalStatuses: async (_tx, settled) => {
      for (const [id, { status, lastOutcome }] of settled) written.settled[id] = `${status} ${lastOutcome}`;
    },
    postponeLeads: (_, waits, lastOutcome) =>
      into(lastOutcome === null ? written.postponed : written.limited)(_, waits),
    markProcessing: into(written.dialled),
  });
  const factsOf = ({ phoneNumber }: { phoneNumber: string }): NumberCallState => ({
    isSuppressed: false,
    isInCall: false,
    limitedUntil: null,
    ...facts[phoneNumber],
  });
  const selection = new LeadSelectionService(
    partialFake<RuntimeSettings>({
      carrier: null as never,
      calls: { maxCallsPerDay: 3, maxCallsPer30Days: 30 } as never,
    }),
    partialFake<AccountsService>({ accountView: async () => account }),
    claims,
    partialFake<CallAttemptsRepository>({ findNumberStates: async (_tx, numbers) => numbers.map(factsOf) }),
    partialFake<CallerIdsService>({
      findCallerIds: async (campaigns) =>
        campaigns.map(({ numbers }) => new Map(numbers.map((number) => [number, FROM]))),
    }),
  );
  return { selection, written };
}

async function select(queue: Queue, limit = 25) {
  const { selection, written } = aSelection({ groups: [group(OPEN)], ...queue });
  const [own] = await selection.selectNext(tx, [{ campaign, assistant, account, limit }]);
  return {
    ids: own?.selected.map(({ lead }) => lead.id),
    numbers: own?.selected.map(({ number }) => number.id),
    isDone: own?.isDone,
    ...written,
  };
}

describe('LeadSelectionService', () => {
  it('requests leads whose window is open, and for no others', async () => {
    const { asked } = await select({ groups: [group(OPEN), group(TOKYO), group('')] });
    expect(asked).toEqual([OPEN]);
  });

  it('requests none where all windows are closed', async () => {
    const { asked, isDone } = await select({ groups: [group(TOKYO)], leads: [aLead(1)] });
    expect({ asked, isDone }).toEqual({ asked: [], isDone: true });
  });

  it('selects as many as there are slots, at the main number', async () => {
    const { ids, dialled } = await select(
      { leads: [aLead(1), aLead(2, { phoneNumber: '+3544101235' }), aLead(3)] },
      2,
    );
    expect(ids).toEqual([1, 2]);
    expect(dialled).toEqual({ 1: 1, 2: 2 });
  });

  it('determines the zones of a bounded number of leads, each that of the number to call next', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => aLead(index, { phoneNumber: TOKYO_NUMBER }));
    const first = await select({ withoutZone: many });
    expect(Object.keys(first.zones)).toHaveLength(500);
    expect(first.isDone).toBe(false);
    const contact = aContact(9, OPEN_NUMBER);
    const named = aContact(8, OPEN_NUMBER, 0, { timezone: 'Asia/Tokyo' });
    const { zones } = await select({
      withoutZone: [
        aLead(1, { phoneNumber: TOKYO_NUMBER, contacts: [contact] }),
        aLead(2, { phoneNumber: TOKYO_NUMBER, attempts: 3, contacts: [contact] }),
        aLead(3, { attempts: 3, contacts: [named] }),
        aLead(4, { variables: { timezone: 'Nowhere/At_All' } }),
        aLead(5, { attempts: 3 }),
      ],
    });
    expect(zones).toEqual({ 1: TOKYO, 2: OPEN, 3: 'Asia/Tokyo@IS', 4: '', 5: OPEN });
  });

  it('does not call a number whose zone turns out to be closed', async () => {
    const { ids, zones } = await select({ leads: [aLead(1, { phoneNumber: TOKYO_NUMBER }), aLead(2)] });
    expect(ids).toEqual([2]);
    expect(zones).toEqual({ 1: TOKYO });
  });

  it('keeps the campaigns of a batch apart, each with its limit and its zones', async () => {
    const other = { ...campaign, id: 2, timezone: 'Asia/Tokyo' } as CampaignView;
    const { selection, written } = aSelection({
      groups: [group(OPEN), { ...group(OPEN), campaignId: 2 }, { ...group(TOKYO), campaignId: 2 }],
      leads: [
        aLead(1),
        aLead(2, { phoneNumber: '+3544101235' }),
        aLead(3, { campaignId: 2 }),
        aLead(4, { campaignId: 2, phoneNumber: '+3544101236' }),
      ],
    });
    const asked = { assistant, account };
    const selections = await selection.selectNext(tx, [
      { ...asked, campaign, limit: 1 },
      { ...asked, campaign: other, limit: 3 },
    ]);
    expect(selections.map(({ selected, isDone }) => [selected.map(({ lead }) => lead.id), isDone])).toEqual([
      [[1], false],
      [[3, 4], true],
    ]);
    expect(written.asked).toEqual([OPEN, OPEN]);
    expect(written.dialled).toEqual({ 1: 1, 3: 3, 4: 4 });
  });

  it('does not request a number again that does not exist', async () => {
    const contacts = [aContact(10, '+3544101239')];
    const { numbers } = await select({ leads: [aLead(1, { numberInvalid: true, contacts })] });
    expect(numbers).toEqual([10]);
  });

  it('calls the first number that may be called', async () => {
    const contacts = [aContact(10, PREMIUM_NUMBER), aContact(11, OPEN_NUMBER)];
    const { ids, numbers } = await select({
      leads: [aLead(1, { phoneNumber: '+3544101236', contacts })],
      facts: { '+3544101236': { isSuppressed: true } },
    });
    expect({ ids, numbers }).toEqual({ ids: [1], numbers: [11] });
  });

  it('settles leads that have no number left', async () => {
    const { ids, settled } = await select({
      leads: [
        aLead(1, { attempts: 3 }),
        aLead(2, { phoneNumber: PREMIUM_NUMBER }),
        aLead(3, { attempts: 3, contacts: [aContact(30, PREMIUM_NUMBER)] }),
        aLead(4, { phoneNumber: '+3544101238' }),
      ],
      facts: { '+3544101238': { isSuppressed: true } },
    });
    expect(ids).toEqual([]);
    expect(settled).toEqual({
      1: 'reached-max-retries null',
      2: 'blacklisted destination_not_allowed',
      3: 'reached-max-retries null',
      4: 'blacklisted suppressed',
    });
  });

  it('postpones leads whose number is in a call, also one of this selection', async () => {
    const { ids, postponed } = await select({
      leads: [aLead(1, { phoneNumber: '+3544101237' }), aLead(2), aLead(3)],
      facts: { '+3544101237': { isInCall: true } },
    });
    expect(ids).toEqual([2]);
    expect(postponed).toEqual({ 1: 60_000, 3: 60_000 });
  });

  it('postpones a number that is called too often until it may be called again, except those of the sandbox', async () => {
    const limitedUntil = new Date(Date.now() + 3_600_000);
    const sandbox = '+15005550020';
    const { ids, limited } = await select({
      groups: [group(OPEN), group('*')],
      leads: [aLead(1), aLead(2, { phoneNumber: sandbox, zone: '*' })],
      facts: { [OPEN_NUMBER]: { limitedUntil }, [sandbox]: { limitedUntil } },
    });
    expect(ids).toEqual([2]);
    expect(limited[1]).toBeGreaterThan(3_590_000);
  });

  it('reports when the first window opens, and when no lead is left', async () => {
    const at = async (queue: Queue) =>
      (await aSelection(queue).selection.findNextOpenings(tx, [campaign]))[0];
    const inAnHour = new Date(Date.now() + 3_600_000);
    expect(await at({ groups: [group(TOKYO), group(OPEN, inAnHour)] })).toEqual(inAnHour);
    expect(await at({ groups: [group('')] })).toBe('none');
    expect(await at({ groups: [group(TOKYO)], withoutZone: [aLead(1)] })).toBe('new');
    expect(await at({ groups: [] })).toBe('none');
  });

  it('keeps the numbers of a lead that may be dialled, and the dialled one', async () => {
    const lead = aLead(1, {
      phoneNumber: TOKYO_NUMBER,
      contacts: [aContact(2, '+14155550101'), aContact(3, OPEN_NUMBER), aContact(4, PREMIUM_NUMBER)],
    });
    const suppressed = { isSuppressed: true };
    const { selection } = aSelection({ facts: { [TOKYO_NUMBER]: suppressed, '+14155550101': suppressed } });
    const dialable = await selection.findDialableNumbers(tx, account.id, lead, 1);
    expect(dialable.map(({ id }) => id)).toEqual([1, 3]);
  });
});
