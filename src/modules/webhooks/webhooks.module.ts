import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#src/auth/auth.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { ModelWatchModule } from '../model-watch/model-watch.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { CallWebhooksListener } from './call-webhooks.listener.js';
import { CampaignWebhooksListener } from './campaign-webhooks.listener.js';
import { DeliveryClaimsService } from './delivery/delivery-claims.service.js';
import { DeliveryProcessor } from './delivery/delivery.processor.js';
import { DeliveryRecorderService } from './delivery/delivery-recorder.service.js';
import { DeliveriesRepository } from './delivery/deliveries.repository.js';
import { NewDeliveriesService } from './delivery/new-deliveries.service.js';
import { ReceiverCircuitBreakerService } from './delivery/receiver-circuit-breaker.service.js';
import { WebhookSenderService } from './delivery/webhook-sender.service.js';
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookSecret,
  WebhookFailure,
} from './entities/webhook.entities.js';
import { InboundCallWebhookService } from './inbound-call-webhook.service.js';
import { ModelWebhooksListener } from './model-webhooks.listener.js';
import { SpendLimitWebhooksListener } from './spend-limit-webhooks.listener.js';
import { SwitchedOffWebhooksListener } from './switched-off-webhooks.listener.js';
import { TestWebhooksService } from './log/test-webhooks.service.js';
import { WebhookDeliveriesService } from './log/webhook-deliveries.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookMetricsService } from './webhook-metrics.service.js';
import { WebhookRetentionService } from './webhook-retention.service.js';
import { WebhooksPersonalDataService } from './webhooks-personal-data.service.js';
import { WebhookCleanupService } from './webhook-cleanup.service.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookDelivery, WebhookAttempt, WebhookFailure, WebhookSecret]),
    AccountsModule,
    AssistantsModule,
    AuthModule,
    CallsModule,
    CampaignsModule,
    LeadsModule,
    ModelWatchModule,
    RecordingsModule,
    RetentionModule,
  ],
  controllers: [WebhooksController],
  providers: [
    WebhookSecretsService,
    CallWebhooksListener,
    CampaignWebhooksListener,
    ModelWebhooksListener,
    SpendLimitWebhooksListener,
    SwitchedOffWebhooksListener,
    NewDeliveriesService,
    DeliveriesRepository,
    DeliveryClaimsService,
    DeliveryProcessor,
    DeliveryRecorderService,
    ReceiverCircuitBreakerService,
    WebhookSenderService,
    InboundCallWebhookService,
    WebhookDeliveriesService,
    TestWebhooksService,
    WebhookMetricsService,
    WebhookCleanupService,
    WebhookRetentionService,
    WebhooksPersonalDataService,
  ],
  exports: [InboundCallWebhookService, NewDeliveriesService, WebhooksPersonalDataService],
})
export class WebhooksModule {}
