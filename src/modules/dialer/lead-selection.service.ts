import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { isSandboxNumber } from '#src/common/phone/phone.js';
import { isSandboxCarrier } from '#src/config/production-rules.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { LeadClaimsRepository, type LeadGroup, type QueuedLead } from '../leads/lead-claims.repository.js';
import type { LeadStatus } from '../leads/lead.types.js';
import type { ContactForDialling, LeadForDialling } from '../leads/lead-view.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { CallAttemptsRepository, type NumberFacts } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';
import { zoneKeyOf } from './lead-zone.js';

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
}

/** What becomes of leads that are taken out of the queue but not called. */
interface Verdicts {
  selected: SelectedLead[];
  settled: Map<number, LeadStatus>;
  zones: Map<number, string>;
  /** Milliseconds. */
  postponed: Map<number, number>;
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
  ) {}

  /**
   * Claims due leads that may be called now; they become `processing`, and an attempt at their number is counted.
   *
   * @returns at most `limit` leads; `isDone`: no other lead may be called now
   */
  async selectNext(
    tx: EntityManager,
    campaign: CampaignView,
    account: AccountView,
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
    if (selected.length > 0) {
      await this.claims.markProcessing(tx, new Map(selected.map(({ lead, number }) => [lead.id, number.id])));
    }
    return { selected, isDone: known.areAll && leads.length < limit };
  }

  /**
   * When a lead may be called at the earliest. `new`: leads were added or changed since `selectNext`. `finished`: none
   * waits, and none is in a call. `unknown`: none waits, or only those that are never called. Nobody adds leads
   * meanwhile.
   */
  async nextOpening(
    tx: EntityManager,
    campaign: CampaignView,
  ): Promise<Date | 'new' | 'finished' | 'unknown'> {
    const now = new Date();
    const groups = await this.claims.groups(tx, campaign.id);
    if (groups.some(({ zone }) => zone === null)) return 'new';
    const openings = groups.map((group) => openingOf(group, campaign, now)).filter((at) => at !== null);
    if (openings.length > 0) {
      const next = Math.min(...openings.map((at) => at.getTime()));
      return new Date(Math.max(next, now.getTime() + LOCKED_MS));
    }
    return (await this.leads.anyOpen(tx, campaign.id)) ? 'unknown' : 'finished';
  }

  /** The lead's numbers that may be dialled later, the main one first, and `dialledId`, which was dialled just now. */
  async dialableNumbers(
    tx: EntityManager,
    accountId: number,
    lead: LeadForDialling,
    dialledId: number,
  ): Promise<ContactForDialling[]> {
    const account = await this.accounts.view(accountId, tx);
    const numbers = [lead, ...lead.contacts];
    const facts = await this.facts(tx, accountId, numbers);
    return numbers.filter((number) => number.id === dialledId || mayDial(number, account, facts));
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

  private async judge(
    tx: EntityManager,
    leads: QueuedLead[],
    { campaign, account, windows }: { campaign: CampaignView; account: AccountView; windows: LeadWindows },
  ): Promise<Verdicts> {
    const verdicts: Verdicts = {
      selected: [],
      settled: new Map(),
      zones: new Map(),
      postponed: new Map(),
    };
    const left = new Map(leads.map((lead) => [lead, numbersLeft(lead, campaign)]));
    const facts = await this.facts(tx, account.id, [...left.values()].flat());
    const taken = new Set<string>();
    for (const [lead, numbers] of left) {
      const number = numbers.find((one) => mayDial(one, account, facts));
      if (!number) {
        // Only the main number decides: a lead whose contacts alone were refused has had its calls.
        verdicts.settled.set(lead.id, numbers.includes(lead) ? 'blacklisted' : 'reached-max-retries');
        continue;
      }
      const zone = zoneKeyOf(number);
      if (zone !== lead.zone) verdicts.zones.set(lead.id, zone);
      const { isInCall = false, limitedUntil = null } = facts.get(number.phoneNumber) ?? {};
      if (zone !== lead.zone && msUntilOpen({ ...lead, zone }, windows) !== 0) continue;
      if (isInCall || taken.has(number.phoneNumber)) verdicts.postponed.set(lead.id, BUSY_NUMBER_MS);
      else if (limitedUntil !== null && !this.isExempt(number))
        verdicts.postponed.set(lead.id, Math.max(BUSY_NUMBER_MS, limitedUntil.getTime() - Date.now()));
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
    numbers: ContactForDialling[],
  ): Promise<Map<string, NumberFacts>> {
    const { maxCallsPerDay: perDay, maxCallsPer30Days: per30Days } = this.settings.calls;
    const distinct = [...new Set(numbers.map(({ phoneNumber }) => phoneNumber))];
    if (distinct.length === 0) return new Map();
    return this.attempts.numberFacts(tx, accountId, distinct, { perDay, per30Days });
  }

  /** The sandbox's numbers are there to be called again and again. */
  private isExempt({ phoneNumber }: ContactForDialling): boolean {
    return isSandboxCarrier(this.settings.carrier) && isSandboxNumber(phoneNumber);
  }
}

/** The main number first, then the contacts in their order, each as often as the campaign allows. */
const numbersLeft = (
  lead: LeadForDialling,
  { maxRetries }: Pick<CampaignView, 'maxRetries'>,
): ContactForDialling[] => [lead, ...lead.contacts].filter(({ attempts }) => attempts < maxRetries);

/** False: premium and satellite ranges, countries that the account may not call, suppressed numbers. */
function mayDial(
  { phoneNumber }: ContactForDialling,
  { allowedCountries }: AccountView,
  facts: ReadonlyMap<string, NumberFacts>,
): boolean {
  return isAllowedDestination(phoneNumber, allowedCountries) && !facts.get(phoneNumber)?.isSuppressed;
}

/** When the first lead of the group may be called; null: never. */
function openingOf(group: LeadGroup, campaign: CampaignView, now: Date): Date | null {
  const due = group.dueAt > now ? group.dueAt : now;
  const wait = msUntilOpen(group, new LeadWindows(campaign, due));
  return wait === null ? null : new Date(due.getTime() + wait);
}

/** Milliseconds; an appointment has hours of its own. Null: never. */
function msUntilOpen(
  { status, zone }: { status: LeadStatus; zone: string | null },
  windows: LeadWindows,
): number | null {
  if (zone === null) return null;
  return status === 'scheduled' ? windows.msUntilAppointment(zone) : windows.msUntilOpen(zone);
}
