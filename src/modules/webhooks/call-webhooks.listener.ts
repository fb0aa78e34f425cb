import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import type { AssistantWebhooks } from '../assistants/assistant-view.js';
import type { WebhookChannel } from '../assistants/assistant.types.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallCompleted, CallUnanswered } from '../calls/call-events.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';
import { toCallPayload, type PayloadLead } from './call-payload.js';
import { callEventKey, type CallWebhookEvent } from './webhook.types.js';

type CallEvent = DomainEvent<{ callId: number }>;

/** Creates a delivery for every finished call and each channel that is configured for it. */
@Injectable()
export class CallWebhooksListener {
  constructor(
    private readonly calls: CallsRepository,
    private readonly assistants: AssistantsService,
    private readonly leads: LeadQueueService,
    private readonly campaigns: CampaignsService,
    private readonly deliveries: NewDeliveriesService,
    private readonly recordings: RecordingLinksService,
  ) {}

  @OnDomainEvent(CallCompleted)
  onCallCompleted({ payload }: CallEvent): Promise<void> {
    return this.addDeliveries(payload.callId, 'call.completed');
  }

  @OnDomainEvent(CallUnanswered)
  async onCallUnanswered({ payload: { callId } }: CallEvent): Promise<void> {
    if (await this.deliveries.wantsUnansweredCalls(callId)) await this.addDeliveries(callId, 'call.updated');
  }

  private async addDeliveries(callId: number, event: CallWebhookEvent): Promise<void> {
    const call = await this.calls.findEndedCall(callId);
    const webhooks = call && (await this.assistants.webhooksOf(call.assistantId));
    if (!call || !webhooks) return;
    const channels = targetsOf(webhooks, call);
    if (channels.length === 0) return;
    const lead = call.leadId === null ? null : await this.readLead(call.leadId);
    const campaign =
      lead || call.campaignId === null ? null : await this.campaigns.campaignView(call.campaignId);
    const recordingUrl = webhooks.includeRecordingInWebhook
      ? this.recordings.createLink(call, 'webhook')
      : null;
    const payload = toCallPayload(call, lead, { recordingUrl, actions: call.actions, campaign });
    await Promise.all(
      channels.map(({ channel, url }) =>
        this.deliveries.createDelivery({
          eventKey: callEventKey(event, call.id),
          channel,
          event,
          accountId: call.accountId,
          assistantId: call.assistantId,
          callId: call.id,
          test: false,
          url,
          payload,
        }),
      ),
    );
  }

  /** As lead and campaign are now. Null: the lead was deleted, by itself or with its campaign. */
  private async readLead(leadId: number): Promise<PayloadLead | null> {
    const lead = await this.leads.findLeadView(leadId);
    const campaign = lead && (await this.campaigns.campaignView(lead.campaignId));
    return campaign && { ...lead, campaign };
  }
}

function targetsOf(
  { urls }: AssistantWebhooks,
  { type }: CallView,
): { channel: WebhookChannel; url: string }[] {
  const channels: WebhookChannel[] = type === 'inbound' ? ['post-call', 'inbound'] : ['post-call'];
  return channels.flatMap((channel) => {
    const url = urls[channel];
    return url === null ? [] : [{ channel, url }];
  });
}
