import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { camelKeys, selectChangedColumns } from '#src/common/persistence/columns.js';
import { ADVISORY_LOCKS, lockAccount } from '#src/common/persistence/locks.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { CampaignStarted, CampaignStopped, campaignStatusAfter } from './campaign.types.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { campaignViews, type CampaignView } from './campaign-view.js';
import { CampaignDataRegistryService } from './campaign-data-registry.service.js';
import { CampaignReferencesService } from './campaign-references.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import {
  toCampaignResponse,
  type CampaignDetailsResponse,
  type CampaignResponse,
  type PausedReason,
} from './dto/campaign.response.js';
import type { CreateCampaignDto, ListCampaignsDto, UpdateCampaignDto } from './dto/campaign-input.dto.js';
import { Campaign, CAMPAIGN_DUE_NOW } from './entities/campaign.entity.js';

export type CampaignLockMode = 'shared' | 'alone';
/**
 * SQL beside `live_campaigns campaign … FOR KEY SHARE OF campaign`, which locks it against deletion. `alone` leaves the
 * row to the dialler: a campaign whose row is locked is passed over when a slot becomes free (`DialQueueService`).
 */
export const CAMPAIGN_LOCK_SQL: Record<CampaignLockMode, string> = {
  shared: '',
  alone: `, pg_advisory_xact_lock(${ADVISORY_LOCKS.campaignDuplicates}, campaign.id)`,
};

const MAX_BATCH = 50;

@Injectable()
export class CampaignsService {
  private readonly views = new BatchLoader<number, CampaignView | null>(async (ids) => {
    const views = await campaignViews(this.campaigns.manager, ids);
    return ids.map((id) => views.get(id) ?? null);
  }, MAX_BATCH);

  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly accounts: AccountsService,
    private readonly references: CampaignReferencesService,
    private readonly relatedData: CampaignDataRegistryService,
    private readonly events: DomainEventsService,
    private readonly queue: JobQueue,
    private readonly breaker: CarrierBreakerService,
  ) {}

  async listCampaigns(userId: number, { counts }: ListCampaignsDto = {}): Promise<CampaignResponse[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const campaigns = await this.campaigns.find({ where: { accountId: userId }, order });
    const shown = await this.respond(userId, campaigns);
    if (counts !== 'true') return shown;
    const leads = await this.relatedData.leadCounts(campaigns.map(({ id }) => id));
    return shown.map((campaign) => ({ ...campaign, leads: leads.get(campaign.id) ?? {} }));
  }

  async getCampaign(userId: number, id: number): Promise<CampaignDetailsResponse> {
    const campaign = await this.find(userId, id);
    const [response, stats] = await Promise.all([
      this.respondOne(campaign),
      this.relatedData.countStats(userId, id),
    ]);
    return { ...response, stats };
  }

  /** The fields that a client may write back, without the read-only ones. */
  async getSettings(userId: number, id: number): Promise<CampaignResponse> {
    return toCampaignResponse(await this.find(userId, id), null);
  }

  /** @throws PlanLimitReached, also for concurrent requests: they are counted under the account's lock. */
  async createCampaign(
    userId: number,
    dto: CreateCampaignDto,
    key: ClaimedKey | null = null,
  ): Promise<CampaignResponse> {
    const made = key?.createdId && (await this.campaigns.findOneBy({ id: key.createdId, accountId: userId }));
    if (made) return toCampaignResponse(made, null);
    const assistant = await this.references.assertReferences(userId, dto);
    const { plan } = await this.accounts.accountView(userId);
    return this.campaigns.manager.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(Campaign, { accountId: userId });
      if (count >= plan.maxCampaigns) throw new PlanLimitReached(plan.maxCampaigns, 'campaigns');
      const campaign = tx.create(Campaign, {
        ...this.references.toCampaignDefaults(assistant),
        accountId: userId,
      });
      const saved = await tx.save(Object.assign(campaign, toColumns(dto)));
      await recordCreatedId(tx, key, saved.id);
      return toCampaignResponse(saved, null);
    });
  }

  async updateCampaign(userId: number, id: number, dto: UpdateCampaignDto): Promise<CampaignResponse> {
    const campaign = await this.find(userId, id);
    // Only what changes: a status that changes meanwhile must not be overwritten.
    const columns = selectChangedColumns(toColumns(dto), campaign);
    if (Object.keys(columns).length === 0) return this.respondOne(campaign);
    const { assistantId, phoneNumberIds, goalCompletionVariable } = columns;
    await this.references.assertReferences(
      userId,
      {
        assistant_id: assistantId,
        phone_number_ids: phoneNumberIds,
        goal_completion_variable: goalCompletionVariable,
      },
      campaign,
    );
    await this.campaigns.update(
      { id, accountId: userId },
      { ...columns, ...CAMPAIGN_DUE_NOW, updatedAt: () => 'now()' },
    );
    return this.respondOne(await this.find(userId, id));
  }

  /**
   * Stops and hides the campaign; its calls are kept. Its leads are hidden at once and removed in the background, so
   * that the account's lock is held briefly, for any number of leads.
   */
  async deleteCampaign(userId: number, id: number): Promise<void> {
    await this.campaigns.manager.transaction(async (tx) => {
      // The dialler holds this lock while it claims a lead: from here on no call is placed.
      await lockAccount(tx, userId);
      const campaign = await tx.findOne(Campaign, {
        where: { id, accountId: userId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!campaign) throw new CampaignNotFound();
      const stopped = campaignStatusAfter('stop', campaign.status);
      if (stopped)
        await this.events.publish(tx, CampaignStopped, { campaignId: id, accountId: userId, reason: null });
      await tx.update(Campaign, id, { status: stopped ?? campaign.status, deletedAt: new Date() });
    });
    this.queue.enqueue('campaign-removal', { id, accountId: userId });
  }

  /** A campaign of any status that is not deleted. Concurrent requests are one query. */
  async campaignView(id: number): Promise<CampaignView | null> {
    return this.views.load(id);
  }

  async ownsCampaign(userId: number, id: number): Promise<boolean> {
    return this.campaigns.existsBy({ id, accountId: userId });
  }

  /**
   * Locks the campaign against deletion until the transaction ends: `shared` or `alone`, one after another. False: it
   * is not the user's.
   */
  async lockCampaign(
    tx: EntityManager,
    userId: number,
    id: number,
    mode: CampaignLockMode,
  ): Promise<boolean> {
    return (await this.hold(tx, userId, id, mode)) !== null;
  }

  /**
   * Within a transaction that has queued a lead of the campaign: a campaign that completed by itself in the last 30
   * days starts again.
   */
  async reopenCampaign(tx: EntityManager, userId: number, id: number): Promise<void> {
    // After the lock: a completion that did not see the lead is committed, and a later one sees it.
    const held = await this.hold(tx, userId, id, 'shared');
    if (!held?.reopens) return;
    const [row]: { reopened: number | null }[] = await tx.query('SELECT reopen_campaign($1) AS reopened', [
      id,
    ]);
    if (row?.reopened) await this.events.publish(tx, CampaignStarted, { campaignId: id, accountId: userId });
  }

  private async hold(tx: EntityManager, userId: number, id: number, mode: CampaignLockMode) {
    const [held]: { reopens: boolean }[] = await tx.query(
      `SELECT reopens FROM live_campaigns campaign${CAMPAIGN_LOCK_SQL[mode]}
        WHERE account_id = $1 AND id = $2 FOR KEY SHARE OF campaign`,
      [userId, id],
    );
    return held ?? null;
  }

  /** For a campaign that `reopen_campaign` of the database has started again. */
  async publishStarted(accountId: number, campaignId: number): Promise<void> {
    await this.campaigns.manager.transaction((tx) =>
      this.events.publish(tx, CampaignStarted, { campaignId, accountId }),
    );
  }

  private async respondOne(campaign: Campaign): Promise<CampaignResponse> {
    const [response] = await this.respond(campaign.accountId, [campaign]);
    if (!response) throw new CampaignNotFound();
    return response;
  }

  private async respond(accountId: number, campaigns: Campaign[]): Promise<CampaignResponse[]> {
    const paused = await this.pausedReason();
    const running = campaigns.filter(({ status }) => status === 'in-progress');
    const ends = await this.relatedData.estimateEnds(accountId, running);
    return campaigns.map((campaign) => toCampaignResponse(campaign, paused, ends.get(campaign.id)));
  }

  /** Of every campaign in progress. */
  private async pausedReason(): Promise<PausedReason | null> {
    return (await this.breaker.isFailing()) ? 'carrier' : null;
  }

  private async find(userId: number, id: number): Promise<Campaign> {
    const campaign = await this.campaigns.findOneBy({ id, accountId: userId });
    if (!campaign) throw new CampaignNotFound();
    return campaign;
  }
}

function toColumns(dto: UpdateCampaignDto): Partial<Campaign> {
  const { phoneNumberIds, windows, ...columns } = camelKeys(dto);
  return {
    ...columns,
    ...(phoneNumberIds && { phoneNumberIds: [...new Set(phoneNumberIds)] }),
    // Plain objects, which are compared with the stored ones.
    ...(windows && { windows: windows.map(({ days, start, end }) => ({ days, start, end })) }),
  };
}
