import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import {
  LeadClaimsRepository,
  type LeadGroup,
  type QueuedLead,
  type SettledLead,
} from '../leads/lead-claims.repository.js';
import type { ContactForDialling, LeadForDialling } from '../leads/lead-view.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { CallerIdsService } from './caller-ids.service.js';
import { CallAttemptsRepository, type NumberFacts } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';
import { factKey, judgeLead, msUntilOpen, numbersLeft, refusal, type Rules } from './lead-verdict.js';
import { zoneKeyOf } from '#src/common/phone/zone-key.js';

/** Leads whose time zones are found out per transaction: the account's lock is held for some ten milliseconds. */
const ZONES_AT_ONCE = 500;
const BUSY_NUMBER_MS = 60_000;
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

interface Selecting {
  campaign: CampaignView;
  assistant: AssistantView;
  account: AccountView;
}

interface Judging {
  campaign: CampaignView;
  account: AccountView;
  windows: LeadWindows;
}

/** What becomes of leads that are taken out of the queue but not called. */
interface Verdicts {
  selected: Omit<SelectedLead, 'from'>[];
  settled: Map<number, SettledLead>;
  zones: Map<number, string>;
  /** Milliseconds. */
  postponed: Map<number, number>;
  limited: Map<number, number>;
}

/** Selects a campaign's next leads and the number of each to call. The caller holds the account's lock. */
@Injectable()
export class LeadSelectionService {
  constructor(
    private readonly settings: RuntimeSettings,
    private readonly accounts: AccountsService,
    private readonly leads: LeadQueueService,
    private readonly claims: LeadClaimsRepository,
    private readonly attempts: CallAttemptsRepository,
    private readonly callers: CallerIdsService,
  ) {}

  /**
   * Claims due leads that may be called now; they become `processing`, and an attempt at their number is counted.
   *
   * @returns at most `limit` leads; `isDone`: no other lead may be called now
   */
  async selectNext(
    tx: EntityManager,
    { campaign, assistant, account }: Selecting,
    limit: number,
  ): Promise<{ selected: SelectedLead[]; isDone: boolean }> {
    const known = await this.knownGroups(tx, campaign);
    const windows = new LeadWindows(campaign, new Date());
    const groups = known.groups.filter((group) => msUntilOpen(group, windows) === 0);
    if (groups.length === 0) return { selected: [], isDone: known.areAll };
    const leads = await this.claims.claim(tx, campaign.id, groups, limit);
    const { selected, ...others } = await this.judge(tx, leads, { campaign, account, windows });
    await this.claims.settle(tx, others.settled);
    await this.claims.setZones(tx, others.zones);
    await this.leads.postpone(tx, others.postponed);
    await this.claims.limit(tx, others.limited);
    if (selected.length === 0) return { selected: [], isDone: known.areAll && leads.length < limit };
    const numbers = selected.map(({ number }) => number.phoneNumber);
    const callers = await this.callers.callerIds(assistant, campaign.phoneNumberIds, numbers, tx);
    // The last active number is none any more: the next run stops the campaign.
    if (callers === null) return { selected: [], isDone: true };
    await this.claims.markProcessing(tx, new Map(selected.map(({ lead, number }) => [lead.id, number.id])));
    return {
      selected: selected.map((one) => ({ ...one, from: callers.get(one.number.phoneNumber) ?? '' })),
      isDone: known.areAll && leads.length < limit,
    };
  }

  /** Whether there is a number to call from. */
  async hasCaller({ phoneNumberIds }: CampaignView, assistant: AssistantView): Promise<boolean> {
    return (await this.callers.callerIds(assistant, phoneNumberIds, [])) !== null;
  }

  /**
   * When a lead may be called at the earliest. `new`: leads were added or changed since `selectNext`. `none`: none waits
   * that may be called one day. Nobody adds leads meanwhile.
   */
  async nextOpening(tx: EntityManager, campaign: CampaignView): Promise<Date | 'new' | 'none'> {
    const now = new Date();
    const groups = await this.claims.groups(tx, campaign.id);
    if (groups.some(({ zone }) => zone === null)) return 'new';
    const openings = groups.map((group) => openingOf(group, campaign, now)).filter((at) => at !== null);
    if (openings.length === 0) return 'none';
    const next = Math.min(...openings.map((at) => at.getTime()));
    return new Date(Math.max(next, now.getTime() + LOCKED_MS));
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
    const account = await this.accounts.view(accountId, tx);
    const facts = await this.facts(tx, accountId, new Map([[lead, numbers]]));
    return numbers.filter((number) => number.id === dialledId || !refusal(lead, number, account, facts));
  }

  /** Finds out the zones of leads where they are not known. `areAll`: they are known of all leads now. */
  private async knownGroups(
    tx: EntityManager,
    campaign: CampaignView,
  ): Promise<{ groups: LeadGroup[]; areAll: boolean }> {
    const groups = await this.claims.groups(tx, campaign.id);
    if (groups.every(({ zone }) => zone !== null)) return { groups, areAll: true };
    const leads = await this.claims.claimWithoutZone(tx, campaign.id, ZONES_AT_ONCE);
    const zones = leads.map((lead) => [lead.id, zoneKeyOf(numbersLeft(lead, campaign)[0] ?? lead)] as const);
    await this.claims.setZones(tx, new Map(zones));
    return { groups: await this.claims.groups(tx, campaign.id), areAll: leads.length < ZONES_AT_ONCE };
  }

  /** What these leads are judged by now (`judgeLead`). */
  async rulesFor(
    tx: EntityManager,
    leads: readonly QueuedLead[],
    { campaign, account, windows }: Judging,
  ): Promise<Rules> {
    const left = new Map(leads.map((lead) => [lead, numbersLeft(lead, campaign)]));
    const facts = await this.facts(tx, account.id, left);
    return { campaign, account, windows, facts, isExempt: (number) => this.isExempt(number) };
  }

  private async judge(
    tx: EntityManager,
    leads: QueuedLead[],
    { campaign, account, windows }: Judging,
  ): Promise<Verdicts> {
    const verdicts: Verdicts = {
      selected: [],
      settled: new Map(),
      zones: new Map(),
      postponed: new Map(),
      limited: new Map(),
    };
    const rules = await this.rulesFor(tx, leads, { campaign, account, windows });
    const taken = new Set<string>();
    for (const lead of leads) {
      const verdict = judgeLead(lead, rules);
      if (verdict.kind === 'settled') {
        verdicts.settled.set(lead.id, verdict.result);
        continue;
      }
      const { number, zone } = verdict;
      if (zone !== lead.zone) verdicts.zones.set(lead.id, zone);
      if (verdict.kind === 'closed') continue;
      if (verdict.kind === 'in_call' || taken.has(number.phoneNumber))
        verdicts.postponed.set(lead.id, BUSY_NUMBER_MS);
      else if (verdict.kind === 'limited')
        verdicts.limited.set(lead.id, Math.max(BUSY_NUMBER_MS, verdict.until.getTime() - Date.now()));
      else {
        taken.add(number.phoneNumber);
        verdicts.selected.push({ lead, number });
      }
    }
    return verdicts;
  }

  private async facts(
    tx: EntityManager,
    accountId: number,
    left: ReadonlyMap<{ id: number }, ContactForDialling[]>,
  ): Promise<Map<string, NumberFacts>> {
    const { maxCallsPerDay: perDay, maxCallsPer30Days: per30Days } = this.settings.calls;
    const asked = [...left].flatMap(([{ id: leadId }, numbers]) =>
      numbers.map(({ phoneNumber }) => ({ leadId, phoneNumber })),
    );
    if (asked.length === 0) return new Map();
    const facts = await this.attempts.numberFacts(tx, accountId, asked, { perDay, per30Days });
    return new Map(asked.map((one, index) => [factKey({ id: one.leadId }, one), facts[index] ?? NOTHING]));
  }

  /** The sandbox's numbers are there to be called again and again. */
  private isExempt({ phoneNumber }: ContactForDialling): boolean {
    return isSandboxCarrier(this.settings.carrier) && isSandboxNumber(phoneNumber);
  }
}

const NOTHING: NumberFacts = { isSuppressed: false, isInCall: false, limitedUntil: null };

/** When the first lead of the group may be called; null: never. */
function openingOf(group: LeadGroup, campaign: CampaignView, now: Date): Date | null {
  const due = group.dueAt > now ? group.dueAt : now;
  const wait = msUntilOpen(group, new LeadWindows(campaign, due));
  return wait === null ? null : new Date(due.getTime() + wait);
}
