import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isAllowedDestination } from '#src/common/phone/destinations.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import type { ContactForDialling, LeadForDialling, LeadToJudge } from '../leads/lead-view.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { LeadWindows } from './dial-window.js';
import { zoneKeyOf, type ZonedNumber } from './lead-zone.js';

/** Leads postponed per transaction: the account's lock is held for some ten milliseconds. */
const BATCH = 500;
const BUSY_NUMBER_MS = 60_000;
/** Of a number without a known time zone, when it is looked at again. */
const NO_ZONE_MS = 3_600_000;

/** A claimed lead and the one of its numbers to call now. */
export interface SelectedLead {
  lead: LeadForDialling;
  /** The lead itself or one of its contacts. */
  number: ContactForDialling;
}

/**
 * `skipped`: leads were postponed or settled, the next one may be dialled. `none`: no lead is due. `finished`: no lead
 * is open either, and the campaign completes then.
 */
export type Selection = SelectedLead | 'skipped' | 'none' | 'finished';

/** Selects a campaign's next lead and the number to call. Writers hold the account's lock. */
@Injectable()
export class LeadSelectionService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly leads: LeadQueueService,
    private readonly suppressions: SuppressionsService,
    private readonly attempts: CallAttemptsRepository,
  ) {}

  /** Claims the next due lead, which becomes `processing`, and counts an attempt at the number. */
  async selectNext(tx: EntityManager, campaign: CampaignView, account: AccountView): Promise<Selection> {
    const lead = await this.leads.claimNext(tx, campaign.id);
    if (!lead) return (await this.isFinished(tx, campaign)) ? 'finished' : 'none';
    const number = await this.firstDialable(tx, campaign, account, lead);
    if (!number) return 'skipped';
    const wait = untilOpen(number, new LeadWindows(campaign, new Date()));
    if (wait > 0) {
      await this.leads.postpone(tx, new Map([[lead.id, wait]]));
      // When one lead is outside its window, most of the next ones are too.
      await this.postponeClosed(tx, campaign);
      return 'skipped';
    }
    if (await this.attempts.isNumberInCall(tx, campaign.accountId, number.phoneNumber)) {
      await this.leads.postpone(tx, new Map([[lead.id, BUSY_NUMBER_MS]]));
      return 'skipped';
    }
    await this.leads.markProcessing(tx, lead.id);
    await this.leads.countAttempt(tx, number.id);
    return { lead, number };
  }

  /** The lead's numbers that may be dialled later, the main one first, and `dialledId`, which was dialled just now. */
  async dialableNumbers(
    tx: EntityManager,
    accountId: number,
    lead: LeadForDialling,
    dialledId: number,
  ): Promise<ContactForDialling[]> {
    const account = await this.accounts.view(accountId, tx);
    const dialable: ContactForDialling[] = [];
    for (const number of [lead, ...lead.contacts]) {
      const may = number.id === dialledId || (await this.mayDial(tx, account, number.phoneNumber));
      if (may) dialable.push(number);
    }
    return dialable;
  }

  private async isFinished(
    tx: EntityManager,
    { id, markCompleteWhenNoLeads }: CampaignView,
  ): Promise<boolean> {
    return markCompleteWhenNoLeads && !(await this.leads.anyOpen(tx, id));
  }

  /**
   * The main number first, then the contacts in their order, each as often as the campaign allows. A lead without a
   * number that may be dialled gets a final status.
   */
  private async firstDialable(
    tx: EntityManager,
    { maxRetries }: CampaignView,
    account: AccountView,
    lead: LeadForDialling,
  ): Promise<ContactForDialling | null> {
    const left = [lead, ...lead.contacts].filter(({ attempts }) => attempts < maxRetries);
    for (const number of left) if (await this.mayDial(tx, account, number.phoneNumber)) return number;
    // Only the main number decides: a lead whose contacts alone were refused has had its calls.
    const status = left.includes(lead) ? 'blacklisted' : 'reached-max-retries';
    await this.leads.settleLead(tx, lead.id, { status });
    return null;
  }

  /** False: premium and satellite ranges, countries that the account may not call, suppressed numbers. */
  private async mayDial(
    tx: EntityManager,
    { id, allowedCountries }: AccountView,
    e164: string,
  ): Promise<boolean> {
    if (!isAllowedDestination(e164, allowedCountries)) return false;
    return !(await this.suppressions.isSuppressed(tx, id, e164));
  }

  /** Postpones those of the next due leads that have no number that may be called now, in one statement. */
  private async postponeClosed(tx: EntityManager, campaign: CampaignView): Promise<void> {
    const windows = new LeadWindows(campaign, new Date());
    const leads = await this.leads.claimToJudge(tx, campaign.id, BATCH);
    const waits = leads.map((lead) => [lead.id, untilFirstOpen(lead, campaign.maxRetries, windows)] as const);
    await this.leads.postpone(tx, new Map(waits.filter(([, wait]) => wait > 0)));
  }
}

/** Milliseconds. 0: a number may be called now, or no number is left, which the selection settles. */
function untilFirstOpen(lead: LeadToJudge, maxRetries: number, windows: LeadWindows): number {
  const left = [lead, ...lead.contacts].filter(({ attempts }) => attempts < maxRetries);
  if (left.length === 0) return 0;
  return Math.min(
    ...left.map(({ phoneNumber, timezone }) => untilOpen({ phoneNumber, variables: { timezone } }, windows)),
  );
}

const untilOpen = (number: ZonedNumber, windows: LeadWindows): number =>
  windows.msUntilOpen(zoneKeyOf(number)) ?? NO_ZONE_MS;
