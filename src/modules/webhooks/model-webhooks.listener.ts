import { Injectable } from '@nestjs/common';
import { toIsoMicros } from '#src/common/time/time.js';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { AssistantModelsService } from '../assistants/assistant-models.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { ModelRetiring, type WarnedCatalogueEntry } from '../catalog/catalog-events.js';
import { CatalogWarningsService } from '../catalog/catalog-warnings.service.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';

type ModelRetiringEvent = DomainEvent<WarnedCatalogueEntry>;

/** Reports models that will be retired, for each of their assistants that wants more than completed calls. */
@Injectable()
export class ModelWebhooksListener {
  constructor(
    private readonly warnings: CatalogWarningsService,
    private readonly users: AssistantModelsService,
    private readonly assistants: AssistantsService,
    private readonly deliveries: NewDeliveriesService,
  ) {}

  @OnDomainEvent(ModelRetiring)
  async onModelRetiring({ id: eventId, occurredAt, payload }: ModelRetiringEvent): Promise<void> {
    const model = await this.warnings.findWarnings(payload);
    if (!model) return;
    const timestamp = toIsoMicros(occurredAt);
    for (const { id, name, accountId } of await this.users.findDependents(payload.kind, payload.id)) {
      const webhooks = await this.assistants.webhooksOf(id);
      const url = webhooks?.urls['post-call'] ?? null;
      if (url === null || webhooks?.sendWebhookOnlyOnCompleted) continue;
      await this.deliveries.createDelivery({
        eventKey: `model.retiring:${eventId}:${id}`,
        channel: 'post-call',
        event: 'model.retiring',
        accountId,
        assistantId: id,
        callId: null,
        test: false,
        url,
        payload: { event: 'model.retiring', assistant: { id, name }, model, timestamp },
      });
    }
  }
}
