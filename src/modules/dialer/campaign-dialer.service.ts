import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import type { CallBudget } from '../accounts/call-budget.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { CampaignView } from '../campaigns/campaign-view.js';
import { CampaignDiallingService } from '../campaigns/campaign-dialling.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { OutboundCallsService, type CallToOpen, type OpenedCall } from './outbound-calls.service.js';
import { LeadSelectionService, type SelectedLead } from './lead-selection.service.js';
import {
  ReadyCampaignsService,
  type DialStep,
  type ReadyCampaign,
  type RoundState,
} from './ready-campaigns.service.js';

/** Leads that one transaction takes of all campaigns. */
const MAX_LEADS = 100;

/** The result of one transaction. */
export interface DialRound {
  /** To be placed after the commit. */
  calls: OpenedCall[];
  /** By campaign; none of one that was skipped, which is left due. */
  next: Map<number, DialStep>;
  /** Accounts of campaigns that wait for a slot since. */
  waiting: number[];
}

/**
 * Claims leads for the free slots of campaigns and writes their calls and attempts, all in one transaction: one
 * statement for each step, however many campaigns there are.
 */
@Injectable()
export class CampaignDialerService {
  constructor(
    private readonly db: DataSource,
    private readonly assistants: AssistantsService,
    private readonly campaigns: CampaignDiallingService,
    private readonly selection: LeadSelectionService,
    private readonly outboundCalls: OutboundCallsService,
    private readonly queue: DialQueueService,
    private readonly readyCampaigns: ReadyCampaignsService,
  ) {}

  /**
   * @param ids one campaign of each account; of several the first one has its turn, and the others are skipped
   * @param whenLocked by somebody else: `skip` the campaign, so that those of other accounts do not wait for it
   */
  async dialNext(ids: readonly number[], whenLocked: LockedRowPolicy): Promise<DialRound> {
    const known = await this.campaigns.findViews(this.db.manager, ids);
    const dialNext = new Map<number, DialStep>();
    const byAccount = new Map<number, CampaignView>();
    for (const id of ids) {
      const campaign = known.get(id);
      if (campaign?.status !== 'in-progress') dialNext.set(id, 'done');
      else if (!byAccount.has(campaign.accountId)) byAccount.set(campaign.accountId, campaign);
    }
    const campaigns = [...byAccount.values()];
    if (campaigns.length === 0) return { calls: [], next: dialNext, waiting: [] };
    // Rarely changes, and is read before the locks are taken.
    const assistants = await this.assistants.assistantViews(campaigns.map(({ assistantId }) => assistantId));
    // Only `tx` inside: requests that each hold one connection and wait for a second one block each other.
    const calls = await this.db.transaction(async (tx) => {
      if (whenLocked === 'skip') await tx.query(SHORT_TIMEOUTS);
      const ready = await this.readyCampaigns.lockReady(tx, {
        campaigns,
        assistants,
        whenLocked,
        next: dialNext,
      });
      return this.openCalls(tx, ready, { whenLocked, next: dialNext });
    });
    const waiting = campaigns.filter(({ id }) => dialNext.get(id) === 'waits');
    return { calls, next: dialNext, waiting: waiting.map(({ accountId }) => accountId) };
  }

  private async openCalls(
    tx: EntityManager,
    ready: ReadyCampaign[],
    { whenLocked, next }: RoundState,
  ): Promise<OpenedCall[]> {
    if (ready.length === 0) return [];
    const admission = await this.outboundCalls.admitCall(tx);
    // The campaigns stay due, which costs nothing while the carrier fails.
    if (admission === 'refused') return [];
    const wanted = ready.reduce((sum, { budgets }) => sum + budgets.length, 0);
    const allowed = await this.outboundCalls.takeRateCapacity(
      tx,
      admission === 'probe' ? 1 : Math.min(wanted, MAX_LEADS),
    );
    distributeCalls(ready, allowed);
    const served = ready.filter(({ limit }) => limit > 0);
    if (admission !== 'probe')
      for (const { campaign, limit } of ready) if (limit === 0) next.set(campaign.id, 'later');
    const returnProbe = async (): Promise<void> => {
      if (admission === 'probe') await this.outboundCalls.returnProbe(tx);
    };
    if (served.length === 0) {
      await returnProbe();
      return [];
    }
    const selections = await this.selection.selectNext(tx, served);
    const calls: CallToOpen[] = [];
    const full: { campaign: CampaignView; isServed: boolean }[] = [];
    const partly: CampaignView[] = [];
    const idle: { campaign: CampaignView; isCalling: boolean }[] = [];
    for (const [index, { campaign, assistant, slots, budgets }] of served.entries()) {
      const { selected = [], isDone = true, hasCaller = true } = selections[index] ?? {};
      calls.push(
        ...selected.flatMap((lead, position) => toCallToOpen(assistant, campaign, lead, budgets[position])),
      );
      const isFull = selected.length === slots;
      if (selected.length === 0 && !hasCaller)
        await this.campaigns.stopCampaign(tx, campaign, 'no_phone_number');
      else if (isDone && !isFull) idle.push({ campaign, isCalling: selected.length > 0 });
      else {
        // Also where the carrier's rate or a probe allowed fewer calls: the rest follows without the end of one.
        if (isFull) full.push({ campaign, isServed: true });
        else if (selected.length > 0) partly.push(campaign);
        next.set(campaign.id, isFull ? 'waits' : 'again');
      }
    }
    await this.outboundCalls.returnRateCapacity(tx, allowed - calls.length);
    if (calls.length === 0) await returnProbe();
    const opened = calls.length === 0 ? [] : await this.outboundCalls.createCalls(tx, calls);
    await this.campaigns.markWaitingForSlots(tx, full);
    await this.campaigns.keepCampaignsDue(tx, partly);
    await this.suspendIdle(tx, idle, { whenLocked, next });
    return opened;
  }

  /**
   * No lead may be called now: each campaign waits for the next one, or is completed. Its slot is another's.
   *
   * @param idle `isCalling`: it has just opened calls, so it has open leads
   */
  private async suspendIdle(
    tx: EntityManager,
    idle: readonly { campaign: CampaignView; isCalling: boolean }[],
    { next }: RoundState,
  ): Promise<void> {
    if (idle.length === 0) return;
    const ids = idle.map(({ campaign }) => campaign.id);
    const locked = await this.queue.lockForSuspend(tx, ids);
    // One whose leads are changing stays due, for the next look-up.
    for (const id of ids) next.set(id, 'done');
    const own = idle.filter(({ campaign }) => locked.has(campaign.id));
    const openings = await this.selection.findNextOpenings(
      tx,
      own.map(({ campaign }) => campaign),
    );
    const asleep = own.flatMap((one, index) => ({ ...one, opening: openings[index] ?? 'new' }));
    for (const { campaign, opening } of asleep) if (opening === 'new') next.set(campaign.id, 'again');
    const finished = asleep.filter(
      ({ campaign, opening, isCalling }) =>
        opening === 'none' && campaign.markCompleteWhenNoLeads && !isCalling,
    );
    await this.campaigns.completeCampaigns(
      tx,
      finished.map(({ campaign }) => campaign.id),
    );
    const sleeping = asleep.filter(({ opening }) => opening !== 'new');
    if (sleeping.length === 0) return;
    await this.campaigns.suspendUntil(
      tx,
      sleeping.map(({ campaign, opening }) => ({ campaign, at: opening instanceof Date ? opening : null })),
    );
    await this.queue.resumeWaitingCampaigns(
      sleeping.map(({ campaign }) => campaign.accountId),
      tx,
    );
  }
}

/** A campaign that takes long, or waits, has its turn alone: others of the same round do not wait for it. */
const SHORT_TIMEOUTS = `SELECT set_config('lock_timeout', '300ms', true), set_config('statement_timeout', '2s', true)`;

/** One call each in turn, to each at most as many as the balance pays for. */
function distributeCalls(ready: readonly ReadyCampaign[], calls: number): void {
  for (let left = calls; left > 0;) {
    const open = ready.filter(({ limit, budgets }) => limit < budgets.length).slice(0, left);
    if (open.length === 0) return;
    for (const one of open) one.limit++;
    left -= open.length;
  }
}

const toCallToOpen = (
  assistant: AssistantView,
  campaign: CampaignView,
  { lead, number, from }: SelectedLead,
  budget: CallBudget | undefined,
): CallToOpen[] =>
  budget === undefined
    ? []
    : [
        {
          assistant,
          apiKeyId: campaign.startedByKeyId,
          campaign: { id: campaign.id, name: campaign.name },
          lead: { id: lead.id, contactId: number.id === lead.id ? null : number.id, status: lead.status },
          from,
          to: number.phoneNumber,
          variables: { ...lead.variables, ...number.variables },
          budget,
          requestId: null,
        },
      ];
