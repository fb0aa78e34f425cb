import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { ADVISORY_LOCKS } from '#src/common/persistence/locks.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { CampaignStarted } from './campaign.types.js';
import { CarrierBreakerService } from '../telephony/carrier-breaker.service.js';
import { campaignViews, type CampaignView } from './campaign-view.js';
import { CampaignDataRegistryService } from './campaign-data-registry.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import {
  toCampaignResponse,
  type CampaignDetailsResponse,
  type CampaignResponse,
  type PausedReason,
} from './dto/campaign.response.js';
import type { ListCampaignsDto } from './dto/campaign-input.dto.js';
import { Campaign } from './entities/campaign.entity.js';

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
    private readonly relatedData: CampaignDataRegistryService,
    private readonly events: DomainEventsService,
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

  /** As the API shows one campaign without the numbers of its leads and calls. @throws CampaignNotFound */
  async showCampaign(userId: number, id: number): Promise<CampaignResponse> {
    return this.respondOne(await this.find(userId, id));
  }

  private async find(userId: number, id: number): Promise<Campaign> {
    const campaign = await this.campaigns.findOneBy({ id, accountId: userId });
    if (!campaign) throw new CampaignNotFound();
    return campaign;
  }
}
