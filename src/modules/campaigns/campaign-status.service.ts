import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { currentKeyId } from '#src/common/work-context.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import {
  CampaignStarted,
  CampaignStopped,
  campaignStatusAfter,
  type CampaignAction,
  type CampaignStatus,
} from './campaign.types.js';
import { CampaignCannotStart, CampaignToSwitchNotFound, type StartObstacle } from './campaigns.errors.js';
import { requestedAction, type UpdateStatusDto } from './dto/campaign-input.dto.js';
import { type UpdateStatusResponse } from './dto/campaign-status.response.js';
import { Campaign, CAMPAIGN_DUE_NOW } from './entities/campaign.entity.js';

const ANSWERS = { start: 'Campaign started successfully.', stop: 'Campaign stopped successfully.' };

/** Starts and stops campaigns. Both are idempotent. */
@Injectable()
export class CampaignStatusService {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly numbers: PhoneNumbersService,
    private readonly events: DomainEventsService,
    private readonly audit: AuditService,
  ) {}

  /** @throws CampaignToSwitchNotFound, CampaignCannotStart */
  async updateStatus(userId: number, dto: UpdateStatusDto): Promise<UpdateStatusResponse> {
    const { campaign_id } = dto;
    const action = requestedAction(dto);
    const campaign = await this.campaigns.findOneBy({ id: campaign_id, accountId: userId });
    if (!campaign) throw new CampaignToSwitchNotFound();
    if (action === 'start' && campaignStatusAfter('start', campaign.status)) {
      const obstacle = await this.obstacle(campaign);
      if (obstacle) throw new CampaignCannotStart(obstacle, campaign);
    }
    const status = await this.move(userId, campaign_id, action);
    return { message: ANSWERS[action], success: true, data: { campaign_id, status } };
  }

  private async obstacle({ accountId, assistantId }: Campaign): Promise<StartObstacle | null> {
    const { balanceMicros } = await this.accounts.accountView(accountId);
    if (balanceMicros <= 0n) return 'balance';
    // The numbers of campaign and assistant belong to the account: without an active one neither has any.
    if ((await this.numbers.findOldestActive(accountId)) === null) return 'noNumber';
    const assistant = await this.assistants.assistantView(accountId, assistantId);
    if (assistant?.status !== 'active') return 'notActive';
    return assistant.type === 'outbound' ? null : 'notOutbound';
  }

  /** @returns the status afterwards. */
  private async move(userId: number, id: number, action: CampaignAction): Promise<CampaignStatus> {
    return this.campaigns.manager.transaction(async (tx) => {
      // The dialler holds this lock while it claims a lead: after the answer to a stop no call is placed.
      await lockAccount(tx, userId);
      const campaign = await tx.findOneBy(Campaign, { id, accountId: userId });
      if (!campaign) throw new CampaignToSwitchNotFound();
      const status = campaignStatusAfter(action, campaign.status);
      if (!status) return campaign.status;
      await tx.update(Campaign, id, {
        status,
        stoppedReason: null,
        completedAt: null,
        ...(action === 'start' && { startedByKeyId: currentKeyId() }),
        ...CAMPAIGN_DUE_NOW,
      });
      const fact = { campaignId: id, accountId: userId };
      if (action === 'start') await this.events.publish(tx, CampaignStarted, fact);
      else await this.events.publish(tx, CampaignStopped, { ...fact, reason: null });
      await this.audit.record(tx, { accountId: userId, action: `campaign.${action}`, resourceId: id });
      return status;
    });
  }
}
