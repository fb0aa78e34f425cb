import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadClaimsRepository, type LeadGroup, type QueuedLead } from '../leads/lead-claims.repository.js';
import type { ContactForDialling, LeadForDialling } from '../leads/lead-view.js';
import { CallerIdsService } from './caller-ids.service.js';
import { CallAttemptsRepository, type NumberFacts } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';
import {
  factKey,
  judgeLeads,
  msUntilOpen,
  newVerdicts,
  numbersLeft,
  refusal,
  type CallableLead,
  type Rules,
} from './lead-verdict.js';
import { zoneKeyOf } from '../leads/zone-key.js';

/** Leads whose time zones are found out per transaction: the account's lock is held for some ten milliseconds. */
const ZONES_AT_ONCE = 500;
/** When leads that another transaction has locked are looked at again. */
const LOCKED_MS = 1_000;

/** A claimed lead and the one of its numbers to call now. */
export interface SelectedLead {
  lead: LeadForDialling;
  /** The lead itself or one of its contacts. */
  number: ContactForDialling;
  /** The number to call it from, E.164. */
  from: string;
}

/** A campaign whose leads are to be called. */
export interface Selecting {
  campaign: CampaignView;
  assistant: AssistantView;
  account: AccountView;
  /** How many leads it may take. */
  limit: number;
}

/** What was selected for a campaign. */
export interface Selection {
  /** None without a number to call from. */
  selected: SelectedLead[];
  /** No other lead may be called now. */
  isDone: boolean;
  hasCaller: boolean;
}

interface Judging {
  campaign: CampaignView;
  account: AccountView;
  windows: LeadWindows;
}

/**
 * Selects campaigns' next leads and the number of each to call: one statement for each question, however many campaigns
 * there are. The caller holds the accounts' locks.
 */
@Injectable()
export class LeadSelectionService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly accounts: AccountsService,
    private readonly claims: LeadClaimsRepository,
    private readonly attempts: CallAttemptsRepository,
    private readonly callers: CallerIdsService,
  ) {}

  /**
   * Claims due leads that may be called now; they become `processing`, and an attempt at their number is counted.
   *
   * @param asked campaigns of different accounts; what is selected for each is returned in their order
   */
  async selectNext(tx: EntityManager, asked: readonly Selecting[]): Promise<Selection[]> {
    const known = await this.knownGroups(
      tx,
      asked.map(({ campaign }) => campaign),
    );
    const now = new Date();
    const windows = new Map(asked.map(({ campaign }) => [campaign.id, new LeadWindows(campaign, now)]));
    const open = known.groups.filter((group) => {
      const own = windows.get(group.campaignId);
      return own !== undefined && msUntilOpen(group, own) === 0;
    });
    const openIds = new Set(open.map(({ campaignId }) => campaignId));
    const limits = asked.filter(({ campaign }) => openIds.has(campaign.id));
    const leads =
      limits.length === 0
        ? []
        : await this.claims.claim(
            tx,
            open,
            new Map(limits.map(({ campaign, limit }) => [campaign.id, limit])),
          );
    const own = asked.map(({ campaign }) => leads.filter(({ campaignId }) => campaignId === campaign.id));
    const callable = await this.callable(
      tx,
      asked.map(({ campaign, account }, index) => ({
        campaign,
        account,
        windows: windows.get(campaign.id) ?? new LeadWindows(campaign, now),
        leads: own[index] ?? [],
      })),
    );
    const callers = await this.callers.callerIds(
      asked.map(({ campaign, assistant }, index) => ({
        assistant,
        phoneNumberIds: campaign.phoneNumberIds,
        numbers: (callable[index] ?? []).map(({ number }) => number.phoneNumber),
      })),
      tx,
    );
    const selections = asked.map(({ campaign, limit }, index) => {
      const from = callers[index] ?? null;
      const isDone = !known.unknown.has(campaign.id) && (own[index]?.length ?? 0) < limit;
      if (from === null) return { selected: [], isDone, hasCaller: false };
      const selected = (callable[index] ?? []).map((one) => ({
        ...one,
        from: from.get(one.number.phoneNumber) ?? '',
      }));
      return { selected, isDone, hasCaller: true };
    });
    const called = selections.flatMap(({ selected }) => selected);
    await this.claims.markProcessing(tx, new Map(called.map(({ lead, number }) => [lead.id, number.id])));
    return selections;
  }

  /** Of each campaign's claimed leads those that may be called now; what becomes of the others is written. */
  private async callable(
    tx: EntityManager,
    claimed: readonly (Judging & { leads: QueuedLead[] })[],
  ): Promise<CallableLead[][]> {
    if (claimed.every(({ leads }) => leads.length === 0)) return claimed.map(() => []);
    const facts = await this.facts(
      tx,
      claimed.flatMap(({ account, campaign, leads }) => leads.map((lead) => asking(account, campaign, lead))),
    );
    const verdicts = newVerdicts();
    const selected = claimed.map(({ leads, ...judging }) =>
      judgeLeads(leads, { ...judging, facts, isExempt: (number) => this.isExempt(number) }, verdicts),
    );
    await this.claims.settle(tx, verdicts.settled);
    await this.claims.setZones(tx, verdicts.zones);
    await this.claims.postpone(tx, verdicts.postponed, null);
    await this.claims.postpone(tx, verdicts.limited, 'number_limit');
    return selected;
  }

  /** Whether there is a number to call from. */
  async hasCaller(
    db: EntityManager,
    { phoneNumberIds }: CampaignView,
    assistant: AssistantView,
  ): Promise<boolean> {
    return (await this.callers.callerIds([{ assistant, phoneNumberIds, numbers: [] }], db))[0] !== null;
  }

  /**
   * When a lead of each campaign may be called at the earliest. `new`: leads were added or changed since `selectNext`.
   * `none`: none waits that may be called one day. Nobody adds leads meanwhile.
   */
  async nextOpenings(
    tx: EntityManager,
    campaigns: readonly CampaignView[],
  ): Promise<(Date | 'new' | 'none')[]> {
    const now = new Date();
    const groups = await this.claims.groups(
      tx,
      campaigns.map(({ id }) => id),
    );
    return campaigns.map((campaign) =>
      openingOf(
        groups.filter(({ campaignId }) => campaignId === campaign.id),
        campaign,
        now,
      ),
    );
  }

  /** The lead's numbers that may be dialled later, the main one first, and `dialledId`, which was dialled just now. */
  async dialableNumbers(
    tx: EntityManager,
    accountId: number,
    lead: LeadForDialling,
    dialledId: number,
  ): Promise<ContactForDialling[]> {
    const numbers = [lead, ...lead.contacts];
    if (numbers.every(({ id }) => id === dialledId)) return numbers;
    const account = await this.accounts.accountView(accountId, tx);
    const facts = await this.facts(tx, [{ accountId, leadId: lead.id, numbers }]);
    return numbers.filter((number) => number.id === dialledId || !refusal(lead, number, account, facts));
  }

  /** Finds out the zones of leads where they are not known. `unknown`: campaigns that have more such leads. */
  private async knownGroups(
    tx: EntityManager,
    campaigns: readonly CampaignView[],
  ): Promise<{ groups: LeadGroup[]; unknown: ReadonlySet<number> }> {
    const ids = campaigns.map(({ id }) => id);
    const groups = await this.claims.groups(tx, ids);
    const without = campaigns.filter(({ id }) =>
      groups.some(({ campaignId, zone }) => campaignId === id && zone === null),
    );
    if (without.length === 0) return { groups, unknown: new Set() };
    const most = Math.ceil(ZONES_AT_ONCE / without.length);
    const leads = await this.claims.claimWithoutZone(
      tx,
      without.map(({ id }) => id),
      most,
    );
    const zones = without.flatMap((campaign) => {
      const own = leads.filter(({ campaignId }) => campaignId === campaign.id);
      return own.map((lead) => [lead.id, zoneKeyOf(numbersLeft(lead, campaign)[0] ?? lead)] as const);
    });
    await this.claims.setZones(tx, new Map(zones));
    const left = without.filter(
      ({ id }) => leads.filter(({ campaignId }) => campaignId === id).length === most,
    );
    return { groups: await this.claims.groups(tx, ids), unknown: new Set(left.map(({ id }) => id)) };
  }

  /** What these leads are judged by now (`judgeLead`). */
  async rulesFor(
    tx: EntityManager,
    leads: readonly QueuedLead[],
    { campaign, account, windows }: Judging,
  ): Promise<Rules> {
    const asked = leads.map((lead) => asking(account, campaign, lead));
    const facts = await this.facts(tx, asked);
    return { campaign, account, windows, facts, isExempt: (number) => this.isExempt(number) };
  }

  private async facts(tx: EntityManager, leads: readonly Asking[]): Promise<Map<string, NumberFacts>> {
    const { maxCallsPerDay: perDay, maxCallsPer30Days: per30Days } = this.settings.calls;
    const asked = leads.flatMap(({ accountId, leadId, numbers }) =>
      numbers.map(({ phoneNumber }) => ({ accountId, leadId, phoneNumber })),
    );
    if (asked.length === 0) return new Map();
    const facts = await this.attempts.numberFacts(tx, asked, { perDay, per30Days });
    return new Map(asked.map((one, index) => [factKey({ id: one.leadId }, one), facts[index] ?? NOTHING]));
  }

  /** The sandbox's numbers are there to be called again and again. */
  private isExempt({ phoneNumber }: ContactForDialling): boolean {
    return isSandboxCarrier(this.settings.carrier) && isSandboxNumber(phoneNumber);
  }
}

const NOTHING: NumberFacts = { isSuppressed: false, isInCall: false, limitedUntil: null };

/** A lead and those of its numbers that facts are asked for. */
interface Asking {
  accountId: number;
  leadId: number;
  numbers: readonly ContactForDialling[];
}

const asking = (account: AccountView, campaign: CampaignView, lead: QueuedLead): Asking => ({
  accountId: account.id,
  leadId: lead.id,
  numbers: numbersLeft(lead, campaign),
});

/** When the first lead of these groups of a campaign may be called. */
function openingOf(groups: readonly LeadGroup[], campaign: CampaignView, now: Date): Date | 'new' | 'none' {
  if (groups.some(({ zone }) => zone === null)) return 'new';
  const openings = groups.map((group) => openingOfGroup(group, campaign, now)).filter((at) => at !== null);
  if (openings.length === 0) return 'none';
  const next = Math.min(...openings.map((at) => at.getTime()));
  return new Date(Math.max(next, now.getTime() + LOCKED_MS));
}

/** Null: never. */
function openingOfGroup(group: LeadGroup, campaign: CampaignView, now: Date): Date | null {
  const due = group.dueAt > now ? group.dueAt : now;
  const wait = msUntilOpen(group, new LeadWindows(campaign, due));
  return wait === null ? null : new Date(due.getTime() + wait);
}
