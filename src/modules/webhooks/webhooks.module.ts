import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { CallWebhooksListener } from './call-webhooks.listener.js';
import { DeliveryClaimsService } from './delivery/delivery-claims.service.js';
import { DeliveryProcessor } from './delivery/delivery.processor.js';
import { DeliveryRecorderService } from './delivery/delivery-recorder.service.js';
import { DeliveriesRepository } from './delivery/deliveries.repository.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';
import { ReceiverCircuitBreakerService } from './delivery/receiver-circuit-breaker.service.js';
import { SendLocksService } from './delivery/send-locks.service.js';
import { WebhookSenderService } from './delivery/webhook-sender.service.js';
import { WebhookAttempt } from './entities/webhook-attempt.entity.js';
import { WebhookDelivery } from './entities/webhook-delivery.entity.js';
import { WebhookSecret } from './entities/webhook-secret.entity.js';
import { InboundCallWebhookService } from './inbound-call-webhook.service.js';
import { TestWebhookController } from './log/test-webhook.controller.js';
import { TestWebhooksService } from './log/test-webhooks.service.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './log/webhook-deliveries.service.js';
import { LeadFactsReaderService } from './payload/lead-facts-reader.service.js';
import { WebhookSecretsController } from './secrets/webhook-secrets.controller.js';
import { WebhookSecretsService } from './secrets/webhook-secrets.service.js';
import { WebhookMetricsService } from './webhook-metrics.service.js';
import { WebhookCleanupService } from './webhook-cleanup.service.js';

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
    WebhookSecretsService,
    CallWebhooksListener,
    LeadFactsReaderService,
    NewDeliveriesService,
    DeliveriesRepository,
    DeliveryClaimsService,
    DeliveryProcessor,
    DeliveryRecorderService,
    ReceiverCircuitBreakerService,
    SendLocksService,
    WebhookSenderService,
    InboundCallWebhookService,
    WebhookDeliveriesService,
    TestWebhooksService,
    WebhookMetricsService,
    WebhookCleanupService,
  ],
  exports: [InboundCallWebhookService],
})
export class WebhooksModule {}
