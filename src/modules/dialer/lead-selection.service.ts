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
import { CallAttemptsRepository, type NumberCallState } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';
import {
  findEarliestOpening,
  numberStateKey,
  selectCallable,
  msUntilLeadOpens,
  newSkippedLeads,
  remainingNumbers,
  refusalReason,
  type CallableLead,
  type EligibilityRules,
} from './lead-eligibility.js';
import { zoneKeyOf } from '../leads/zone-key.js';

/** Leads whose time zones are found out per transaction: the account's lock is held for some ten milliseconds. */
const ZONE_BATCH = 500;

/** A claimed lead and the one of its numbers to call now. */
export interface SelectedLead {
  lead: LeadForDialling;
  /** The lead itself or one of its contacts. */
  number: ContactForDialling;
  /** The number to call it from, E.164. */
  from: string;
}

/** A campaign whose leads are to be called. */
export interface SelectionRequest {
  campaign: CampaignView;
  assistant: AssistantView;
  account: AccountView;
  /** How many leads it may take. */
  limit: number;
}

/** The selected leads of a campaign. */
export interface LeadSelection {
  /** None without a number to call from. */
  selected: SelectedLead[];
  /** No other lead may be called now. */
  isDone: boolean;
  hasCaller: boolean;
}

interface EligibilityContext {
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
   * @param requests campaigns of different accounts; what is selected for each is returned in their order
   */
  async selectNext(tx: EntityManager, requests: readonly SelectionRequest[]): Promise<LeadSelection[]> {
    const known = await this.findGroups(
      tx,
      requests.map(({ campaign }) => campaign),
    );
    const now = new Date();
    const windows = new Map(requests.map(({ campaign }) => [campaign.id, new LeadWindows(campaign, now)]));
    const open = known.groups.filter((group) => {
      const own = windows.get(group.campaignId);
      return own !== undefined && msUntilLeadOpens(group, own) === 0;
    });
    const openIds = new Set(open.map(({ campaignId }) => campaignId));
    const limits = requests.filter(({ campaign }) => openIds.has(campaign.id));
    const leads =
      limits.length === 0
        ? []
        : await this.claims.claimDue(
            tx,
            open,
            new Map(limits.map(({ campaign, limit }) => [campaign.id, limit])),
          );
    const own = requests.map(({ campaign }) => leads.filter(({ campaignId }) => campaignId === campaign.id));
    const callable = await this.selectCallable(
      tx,
      requests.map(({ campaign, account }, index) => ({
        campaign,
        account,
        windows: windows.get(campaign.id) ?? new LeadWindows(campaign, now),
        leads: own[index] ?? [],
      })),
    );
    const callers = await this.callers.findCallerIds(
      requests.map(({ campaign, assistant }, index) => ({
        assistant,
        phoneNumberIds: campaign.phoneNumberIds,
        numbers: (callable[index] ?? []).map(({ number }) => number.phoneNumber),
      })),
      tx,
    );
    const selections = requests.map(({ campaign, limit }, index) => {
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
  private async selectCallable(
    tx: EntityManager,
    claimed: readonly (EligibilityContext & { leads: QueuedLead[] })[],
  ): Promise<CallableLead[][]> {
    if (claimed.every(({ leads }) => leads.length === 0)) return claimed.map(() => []);
    const numberStates = await this.findNumberStates(
      tx,
      claimed.flatMap(({ account, campaign, leads }) =>
        leads.map((lead) => toLeadNumbers(account, campaign, lead)),
      ),
    );
    const skipped = newSkippedLeads();
    const selected = claimed.map(({ leads, ...judging }) =>
      selectCallable(
        leads,
        {
          ...judging,
          numberStates,
          isExemptFromLimits: (number) => this.isExemptFromLimits(number),
        },
        skipped,
      ),
    );
    await this.claims.setFinalStatuses(tx, skipped.settled);
    await this.claims.setZones(tx, skipped.zones);
    await this.claims.postponeLeads(tx, skipped.postponed, null);
    await this.claims.postponeLeads(tx, skipped.limited, 'number_limit');
    return selected;
  }

  /** Whether there is a number to call from. */
  async hasCallerNumber(
    db: EntityManager,
    { phoneNumberIds }: CampaignView,
    assistant: AssistantView,
  ): Promise<boolean> {
    return (await this.callers.findCallerIds([{ assistant, phoneNumberIds, numbers: [] }], db))[0] !== null;
  }

  /**
   * When a lead of each campaign may be called at the earliest. `new`: leads were added or changed since `selectNext`.
   * `none`: none waits that may be called one day. Nobody adds leads meanwhile.
   */
  async findNextOpenings(
    tx: EntityManager,
    campaigns: readonly CampaignView[],
  ): Promise<(Date | 'new' | 'none')[]> {
    const now = new Date();
    const groups = await this.claims.findGroups(
      tx,
      campaigns.map(({ id }) => id),
    );
    return campaigns.map((campaign) =>
      findEarliestOpening(
        groups.filter(({ campaignId }) => campaignId === campaign.id),
        campaign,
        now,
      ),
    );
  }

  /** The lead's numbers that may be dialled later, the main one first, and `dialledId`, which was dialled just now. */
  async findDialableNumbers(
    tx: EntityManager,
    accountId: number,
    lead: LeadForDialling,
    dialledId: number,
  ): Promise<ContactForDialling[]> {
    const numbers = [lead, ...lead.contacts];
    if (numbers.every(({ id }) => id === dialledId)) return numbers;
    const account = await this.accounts.accountView(accountId, tx);
    const numberStates = await this.findNumberStates(tx, [{ accountId, leadId: lead.id, numbers }]);
    return numbers.filter(
      (number) => number.id === dialledId || !refusalReason(lead, number, account, numberStates),
    );
  }

  /** Finds out the zones of leads where they are not known. `unknown`: campaigns that have more such leads. */
  private async findGroups(
    tx: EntityManager,
    campaigns: readonly CampaignView[],
  ): Promise<{ groups: LeadGroup[]; unknown: ReadonlySet<number> }> {
    const ids = campaigns.map(({ id }) => id);
    const groups = await this.claims.findGroups(tx, ids);
    const without = campaigns.filter(({ id }) =>
      groups.some(({ campaignId, zone }) => campaignId === id && zone === null),
    );
    if (without.length === 0) return { groups, unknown: new Set() };
    const most = Math.ceil(ZONE_BATCH / without.length);
    const leads = await this.claims.claimLeadsWithoutZone(
      tx,
      without.map(({ id }) => id),
      most,
    );
    const zones = without.flatMap((campaign) => {
      const own = leads.filter(({ campaignId }) => campaignId === campaign.id);
      return own.map((lead) => [lead.id, zoneKeyOf(remainingNumbers(lead, campaign)[0] ?? lead)] as const);
    });
    await this.claims.setZones(tx, new Map(zones));
    const left = without.filter(
      ({ id }) => leads.filter(({ campaignId }) => campaignId === id).length === most,
    );
    return { groups: await this.claims.findGroups(tx, ids), unknown: new Set(left.map(({ id }) => id)) };
  }

  /** What these leads are judged by now (`checkEligibility`). */
  async findEligibilityRules(
    tx: EntityManager,
    leads: readonly QueuedLead[],
    { campaign, account, windows }: EligibilityContext,
  ): Promise<EligibilityRules> {
    const requests = leads.map((lead) => toLeadNumbers(account, campaign, lead));
    const numberStates = await this.findNumberStates(tx, requests);
    return {
      campaign,
      account,
      windows,
      numberStates,
      isExemptFromLimits: (number) => this.isExemptFromLimits(number),
    };
  }

  private async findNumberStates(
    tx: EntityManager,
    leads: readonly LeadNumbers[],
  ): Promise<Map<string, NumberCallState>> {
    const { maxCallsPerDay: perDay, maxCallsPer30Days: per30Days } = this.settings.calls;
    const requests = leads.flatMap(({ accountId, leadId, numbers }) =>
      numbers.map(({ phoneNumber }) => ({ accountId, leadId, phoneNumber })),
    );
    if (requests.length === 0) return new Map();
    const numberStates = await this.attempts.findNumberStates(tx, requests, { perDay, per30Days });
    return new Map(
      requests.map((one, index) => [
        numberStateKey({ id: one.leadId }, one),
        numberStates[index] ?? UNKNOWN_NUMBER,
      ]),
    );
  }

  /** The sandbox's numbers are there to be called again and again. */
  private isExemptFromLimits({ phoneNumber }: ContactForDialling): boolean {
    return isSandboxCarrier(this.settings.carrier) && isSandboxNumber(phoneNumber);
  }
}

const UNKNOWN_NUMBER: NumberCallState = { isSuppressed: false, isInCall: false, limitedUntil: null };

/** A lead and those of its numbers that facts are asked for. */
interface LeadNumbers {
  accountId: number;
  leadId: number;
  numbers: readonly ContactForDialling[];
}

const toLeadNumbers = (account: AccountView, campaign: CampaignView, lead: QueuedLead): LeadNumbers => ({
  accountId: account.id,
  leadId: lead.id,
  numbers: remainingNumbers(lead, campaign),
});
