import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { toDateTime } from '#src/common/time/time.js';
import { AccountsService } from '#src/modules/accounts/accounts.service.js';
import { endOfHour } from '#src/modules/accounts/spend-hour.js';
import type { CampaignView } from '#src/modules/campaigns/campaign-view.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import { LeadClaimsRepository, type WaitingLead } from '#src/modules/leads/lead-claims.repository.js';
import { QUEUED_STATUSES } from '#src/modules/leads/lead.types.js';
import { CarrierBreakerService } from '#src/modules/telephony/carrier-breaker.service.js';
import { DialForecastService, type DialForecast } from '#src/modules/dialer/dial-forecast.service.js';
import type { DialObstacle } from '#src/modules/dialer/dial-obstacles.js';
import { LeadWindows } from '#src/modules/dialer/dial-window.js';
import {
  checkEligibility,
  msUntilLeadOpens,
  type EligibilityRules,
} from '#src/modules/dialer/lead-eligibility.js';
import { LeadSelectionService } from '#src/modules/dialer/lead-selection.service.js';
import {
  type CampaignPreviewResponse,
  type PreviewedLeadResponse,
  type WaitReason,
} from './dto/campaign-preview.response.js';
import { MAX_PREVIEW, type PreviewCampaignDto } from './dto/campaign-preview.dto.js';

/** The reason why a lead waits. `reason` null: it may be called now. */
interface Wait {
  reason: WaitReason | null;
  /** Null: not known, or for good. */
  until: Date | null;
  /** To call next; the lead itself where none is left. */
  number: { id: number; phoneNumber: string; attempts: number };
}

/** Predicts the next calls of a campaign, by the dialler's own rules; writes and locks nothing. */
@Injectable()
export class CampaignPreviewService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly claims: LeadClaimsRepository,
    private readonly selection: LeadSelectionService,
    private readonly forecast: DialForecastService,
    private readonly breaker: CarrierBreakerService,
  ) {}

  /** @throws CampaignNotFound */
  async previewCampaign(
    userId: number,
    id: number,
    { lead_id: leadId }: PreviewCampaignDto,
  ): Promise<CampaignPreviewResponse> {
    const campaign = await this.campaigns.campaignView(id);
    if (campaign?.accountId !== userId) throw new CampaignNotFound();
    const now = new Date();
    const windows = new LeadWindows(campaign, now);
    const leads =
      leadId === undefined
        ? await this.nextLeads(campaign, windows, now)
        : await this.claims.findLead(this.db.manager, id, leadId);
    const account = await this.accounts.accountView(userId);
    const rules = await this.selection.findEligibilityRules(this.db.manager, leads, {
      campaign,
      account,
      windows,
    });
    const { obstacle, slots } = await this.outlook(campaign);
    const shown = dealSlots(
      leads.map((lead) => ({ lead, wait: waitOf(lead, rules, campaign, now) })),
      obstacle,
      slots,
    );
    const times = shown.flatMap(({ wait: { reason, until } }) => (reason === null ? now : (until ?? [])));
    const next = times.length > 0 && obstacle === null ? Math.min(...times.map(Number)) : null;
    return {
      campaign_id: id,
      status: campaign.status,
      reason: obstacle,
      free_slots: slots,
      next_call_at: next === null ? null : toDateTime(new Date(next)),
      leads: shown.map(toResponse),
    };
  }

  /** In the order in which they may be called; of one campaign many groups may wait, of which the first matter. */
  private async nextLeads(campaign: CampaignView, windows: LeadWindows, now: Date): Promise<WaitingLead[]> {
    const groups = await this.claims.findGroups(this.db.manager, [campaign.id]);
    const opening = groups.map((group) => {
      // A lead whose zone is not known is judged by its number.
      const wait = group.zone === null ? 0 : msUntilLeadOpens(group, windows);
      return { ...group, opensAt: wait === null ? null : new Date(now.getTime() + wait) };
    });
    const first = ({ opensAt, dueAt }: (typeof opening)[number]): number =>
      opensAt === null ? Number.MAX_SAFE_INTEGER : Math.max(opensAt.getTime(), dueAt.getTime());
    opening.sort((one, other) => first(one) - first(other));
    return this.claims.findWaiting(this.db.manager, campaign.id, opening.slice(0, MAX_PREVIEW), MAX_PREVIEW);
  }

  private async outlook(campaign: CampaignView): Promise<DialForecast> {
    const outlook = await this.forecast.forecastDial(campaign);
    // Calls whose requests got no response hold the slots of a campaign until the carrier reports their state.
    const mayBeCarrier = outlook.obstacle === null || outlook.obstacle === 'no_free_slot';
    if (mayBeCarrier && (await this.breaker.isFailing())) return { ...outlook, obstacle: 'carrier' };
    return outlook;
  }
}

/** Why a lead would not be called, independent of other leads and of the campaign's slots. */
function waitOf(lead: WaitingLead, rules: EligibilityRules, campaign: CampaignView, now: Date): Wait {
  const wait = (
    reason: WaitReason | null,
    until: Date | null = null,
    number = lead as Wait['number'],
  ): Wait => ({
    reason,
    until,
    number,
  });
  if (lead.status === 'processing') return wait('in_call');
  if (!(QUEUED_STATUSES as readonly string[]).includes(lead.status)) return wait('not_queued');
  const isLater = lead.dueAt > now;
  const due = isLater ? lead.dueAt : now;
  const windows = isLater ? new LeadWindows(campaign, due) : rules.windows;
  const verdict = checkEligibility(lead, { ...rules, windows });
  if (verdict.kind === 'settled') {
    const { lastOutcome } = verdict.result;
    return wait(
      lastOutcome === 'suppressed' || lastOutcome === 'destination_not_allowed'
        ? lastOutcome
        : 'no_number_left',
    );
  }
  const { kind, number, zone } = verdict;
  const ms = msUntilLeadOpens({ ...lead, zone }, windows);
  if (ms === null) return wait('no_timezone', null, number);
  const opens = new Date(due.getTime() + ms);
  if (kind === 'limited') return wait('number_limit', verdict.until > opens ? verdict.until : opens, number);
  if (isLater) return wait('due_later', opens, number);
  if (kind === 'closed') return wait('window', opens, number);
  return wait(kind === 'in_call' ? 'in_call' : null, null, number);
}

interface Judged {
  lead: WaitingLead;
  wait: Wait;
}

/** Leads that may be called get the free slots in their order, a number one at most; the others wait for a slot. */
function dealSlots(leads: Judged[], obstacle: DialObstacle | null, slots: number): Judged[] {
  const taken = new Set<string>();
  return leads.map(({ lead, wait }) => {
    const { reason, number } = wait;
    if (reason !== null) return { lead, wait };
    const until = obstacle === 'spend_limit' ? endOfHour(new Date()) : wait.until;
    if (obstacle !== null) return { lead, wait: { ...wait, reason: obstacle, until } };
    if (taken.has(number.phoneNumber)) return { lead, wait: { ...wait, reason: 'in_call' } };
    if (taken.size >= slots) return { lead, wait: { ...wait, reason: 'no_free_slot' } };
    taken.add(number.phoneNumber);
    return { lead, wait };
  });
}

const toResponse = ({ lead, wait: { reason, until, number } }: Judged): PreviewedLeadResponse => ({
  id: lead.id,
  status: lead.status,
  phone_number: number.phoneNumber,
  contact_id: number.id === lead.id ? null : number.id,
  attempts: number.attempts,
  would_be_dialled: reason === null,
  reason,
  until: until && toDateTime(until),
});
