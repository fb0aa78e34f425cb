import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { camelKeys, selectChangedColumns } from '#src/common/persistence/columns.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { CampaignStopped, campaignStatusAfter } from './campaign.types.js';
import { CampaignReferencesService } from './campaign-references.service.js';
import { CampaignNotFound } from './campaigns.errors.js';
import { CampaignsService } from './campaigns.service.js';
import { toCampaignResponse, type CampaignResponse } from './dto/campaign.response.js';
import type { CreateCampaignDto, UpdateCampaignDto } from './dto/campaign-input.dto.js';
import { Campaign, CAMPAIGN_DUE_NOW } from './entities/campaign.entity.js';

/** Campaigns as their users create, change and delete them. */
@Injectable()
export class CampaignChangesService {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly shown: CampaignsService,
    private readonly accounts: AccountsService,
    private readonly references: CampaignReferencesService,
    private readonly events: DomainEventsService,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
  ) {}

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
    return this.audit.change(async (tx, record) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(Campaign, { accountId: userId });
      if (count >= plan.maxCampaigns) throw new PlanLimitReached(plan.maxCampaigns, 'campaigns');
      const campaign = tx.create(Campaign, {
        ...this.references.toCampaignDefaults(assistant),
        accountId: userId,
      });
      const saved = await tx.save(Object.assign(campaign, toColumns(dto)));
      await recordCreatedId(tx, key, saved.id);
      record({ accountId: userId, action: 'campaign.create', resourceId: saved.id });
      return toCampaignResponse(saved, null);
    });
  }

  async updateCampaign(userId: number, id: number, dto: UpdateCampaignDto): Promise<CampaignResponse> {
    const campaign = await this.campaigns.findOneBy({ id, accountId: userId });
    if (!campaign) throw new CampaignNotFound();
    // Only what changes: a status that changes meanwhile must not be overwritten.
    const columns = selectChangedColumns(toColumns(dto), campaign);
    if (Object.keys(columns).length === 0) return this.shown.showCampaign(userId, id);
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
    await this.audit.change(async (tx, record) => {
      await tx.update(
        Campaign,
        { id, accountId: userId },
        { ...columns, ...CAMPAIGN_DUE_NOW, updatedAt: () => 'now()' },
      );
      const fields = changedFields(columns);
      record({ accountId: userId, action: 'campaign.update', resourceId: id, fields });
    });
    return this.shown.showCampaign(userId, id);
  }

  /**
   * Stops and hides the campaign; its calls are kept. Its leads are hidden at once and removed in the background, so
   * that the account's lock is held briefly, for any number of leads.
   */
  async deleteCampaign(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
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
      record({ accountId: userId, action: 'campaign.delete', resourceId: id });
    });
    this.queue.enqueue('campaign-removal', { id, accountId: userId });
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
