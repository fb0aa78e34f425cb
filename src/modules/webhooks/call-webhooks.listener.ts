import { Injectable } from '@nestjs/common';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { WebhookChannel } from '../assistants/assistant.types.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallActionsService } from '../calls/call-actions.service.js';
import { CallCompleted, CallUnanswered } from '../calls/call-events.js';
import { CallsRepository } from '../calls/calls.repository.js';
import type { CallView } from '../calls/call.view.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import { LeadQueueService } from '../leads/lead-queue.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';
import { callPayload, type LeadFacts } from './call-payload.js';
import type { WebhookEvent } from './webhook.types.js';

const MAX_BATCH = 50;

type CallEvent = DomainEvent<{ callId: number }>;

/** Creates a delivery for every finished call and each channel that is configured for it. */
@Injectable()
export class CallWebhooksListener {
  /** Batches look-ups: calls that end together often share an assistant. */
  private readonly views = new BatchLoader<number, AssistantView | null>((ids) => this.view(ids), MAX_BATCH);

  constructor(
    private readonly calls: CallsRepository,
    private readonly assistants: AssistantsService,
    private readonly leads: LeadQueueService,
    private readonly campaigns: CampaignsService,
    private readonly deliveries: NewDeliveriesService,
    private readonly recordings: RecordingLinksService,
    private readonly actions: CallActionsService,
  ) {}

  @OnDomainEvent(CallCompleted)
  onCompleted({ payload }: CallEvent): Promise<void> {
    return this.deliver(payload.callId, 'call.completed');
  }

  @OnDomainEvent(CallUnanswered)
  async onUnanswered({ payload: { callId } }: CallEvent): Promise<void> {
    if (await this.deliveries.isUnansweredTold(callId)) await this.deliver(callId, 'call.updated');
  }

  private async deliver(callId: number, event: WebhookEvent): Promise<void> {
    const call = await this.calls.callView(callId);
    const assistant = call && (await this.views.load(call.assistantId));
    if (!call || !assistant) return;
    if (event === 'call.updated' && assistant.sendWebhookOnlyOnCompleted) return;
    const channels = wantedChannels(assistant, call);
    if (channels.length === 0) return;
    const lead = await this.leadFacts(call.leadId);
    const campaign = lead || call.campaignId === null ? null : await this.campaigns.view(call.campaignId);
    const recordingUrl = assistant.includeRecordingInWebhook ? this.recordings.urlOf(call, 'webhook') : null;
    const actions = await this.actions.actionsOf(call.id);
    const payload = callPayload(call, lead, { recordingUrl, actions, campaign });
    for (const { channel, url } of channels) {
      await this.deliveries.addDelivery({
        eventKey: `${event}:${call.id}`,
        channel,
        event,
        accountId: call.accountId,
        assistantId: assistant.id,
        callId: call.id,
        test: false,
        url,
        payload,
      });
    }
  }

  /** As lead and campaign are now. Null: the call has no lead, or it was deleted, by itself or with its campaign. */
  private async leadFacts(leadId: number | null): Promise<LeadFacts | null> {
    const lead = leadId === null ? null : await this.leads.view(leadId);
    const campaign = lead && (await this.campaigns.view(lead.campaignId));
    return campaign && { ...lead, campaign };
  }

  private async view(assistantIds: number[]): Promise<(AssistantView | null)[]> {
    const distinct = [...new Set(assistantIds)];
    const views = await Promise.all(distinct.map((id) => this.assistants.assistantViewById(id)));
    return assistantIds.map((id) => views[distinct.indexOf(id)] ?? null);
  }
}

function wantedChannels(
  { isWebhookActive, webhookUrl, inboundWebhookUrl }: AssistantView,
  { type }: CallView,
): { channel: WebhookChannel; url: string }[] {
  return [
    ...(isWebhookActive && webhookUrl !== null ? [{ channel: 'post-call' as const, url: webhookUrl }] : []),
    ...(type === 'inbound' && inboundWebhookUrl !== null
      ? [{ channel: 'inbound' as const, url: inboundWebhookUrl }]
      : []),
  ];
}
