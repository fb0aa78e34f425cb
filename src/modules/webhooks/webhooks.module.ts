import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { CallWebhooksListener } from './call-webhooks.listener.js';
import { DeliveryClaims } from './delivery/delivery-claims.service.js';
import { DeliveryProcessor } from './delivery/delivery.processor.js';
import { DeliveryRecorder } from './delivery/delivery-recorder.service.js';
import { DeliveryRows } from './delivery/delivery-rows.service.js';
import { NewDeliveries } from './delivery/new-deliveries.service.js';
import { ReceiverHealth } from './delivery/receiver-health.service.js';
import { SendPermits } from './delivery/send-permits.service.js';
import { WebhookSender } from './delivery/webhook-sender.service.js';
import { WebhookAttempt } from './entities/webhook-attempt.entity.js';
import { WebhookDelivery } from './entities/webhook-delivery.entity.js';
import { WebhookSecret } from './entities/webhook-secret.entity.js';
import { InboundCallWebhook } from './inbound-call-webhook.service.js';
import { TestWebhookController } from './log/test-webhook.controller.js';
import { TestWebhooks } from './log/test-webhooks.service.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { WebhookDeliveries } from './log/webhook-deliveries.service.js';
import { LeadFactsReader } from './payload/lead-facts-reader.service.js';
import { WebhookSecretsController } from './secrets/webhook-secrets.controller.js';
import { WebhookSecrets } from './secrets/webhook-secrets.service.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookUpkeep } from './webhook-upkeep.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookDelivery, WebhookAttempt, WebhookSecret]),
    AssistantsModule,
    CallsModule,
    CampaignsModule,
    LeadsModule,
  ],
  controllers: [WebhookSecretsController, WebhookDeliveriesController, TestWebhookController],
  providers: [
    WebhookSecrets,
    CallWebhooksListener,
    LeadFactsReader,
    NewDeliveries,
    DeliveryRows,
    DeliveryClaims,
    DeliveryProcessor,
    DeliveryRecorder,
    ReceiverHealth,
    SendPermits,
    WebhookSender,
    InboundCallWebhook,
    WebhookDeliveries,
    TestWebhooks,
    WebhookMetrics,
    WebhookUpkeep,
  ],
  exports: [InboundCallWebhook],
})
export class WebhooksModule {}
