import { Injectable } from '@nestjs/common';
import { toIsoMicros } from '#src/common/time/time.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CampaignStopped, type CampaignEventPayload, type StopReason } from '../campaigns/campaign.types.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';

type CampaignStoppedEvent = DomainEvent<CampaignEventPayload & { reason: StopReason | null }>;

/** Reports campaigns that stopped by themselves, for assistants that want more than completed calls. */
@Injectable()
export class CampaignWebhooksListener {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly assistants: AssistantsService,
    private readonly deliveries: NewDeliveriesService,
  ) {}

  @OnDomainEvent(CampaignStopped)
  async onCampaignStopped({
    id,
    occurredAt,
    payload: { campaignId, reason },
  }: CampaignStoppedEvent): Promise<void> {
    const campaign = reason ? await this.campaigns.campaignView(campaignId) : null;
    if (!campaign) return;
    const { assistantId } = campaign;
    const webhooks = await this.assistants.webhooksOf(assistantId);
    const url = webhooks?.urls['post-call'] ?? null;
    if (url === null || webhooks?.sendWebhookOnlyOnCompleted) return;
    await this.deliveries.createDelivery({
      eventKey: `campaign.stopped:${id}`,
      channel: 'post-call',
      event: 'campaign.stopped',
      accountId: campaign.accountId,
      assistantId,
      callId: null,
      test: false,
      url,
      payload: {
        event: 'campaign.stopped',
        campaign: { id: campaign.id, name: campaign.name, status: 'stopped', stopped_reason: reason },
        timestamp: toIsoMicros(occurredAt),
      },
    });
  }
}
