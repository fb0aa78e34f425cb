import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule, type RuntimeSettings } from './config/runtime-settings.js';
import { IdempotencyModule } from './http/idempotency/idempotency.module.js';
import { InFlightModule } from './http/in-flight/in-flight.module.js';
import { OutboundHttpModule } from './common/outbound-http/outbound-http.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { ApiKeysModule } from './modules/api-keys/api-keys.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { AssistantsModule } from './modules/assistants/assistants.module.js';
import { CatalogModule } from './modules/catalog/catalog.module.js';
import { PhoneNumbersModule } from './modules/phone-numbers/phone-numbers.module.js';
import { ToolsModule } from './modules/tools/tools.module.js';
import { CallsModule } from './modules/calls/calls.module.js';
import { CampaignsModule } from './modules/campaigns/campaigns.module.js';
import { ChatsModule } from './modules/chats/chats.module.js';
import { ConversationsModule } from './modules/conversations/conversations.module.js';
import { RecordingsModule } from './modules/recordings/recordings.module.js';
import { RetentionModule } from './modules/retention/retention.module.js';
import { GroupsModule } from './modules/groups/groups.module.js';
import { KnowledgeModule } from './modules/knowledge/knowledge.module.js';
import { SmsModule } from './modules/sms/sms.module.js';
import { SuppressionsModule } from './modules/suppressions/suppressions.module.js';
import { LeadsModule } from './modules/leads/leads.module.js';
import { CampaignReportsModule } from './modules/campaign-reports/campaign-reports.module.js';
import { DialerModule } from './modules/dialer/dialer.module.js';
import { WebCallsModule } from './modules/web-calls/web-calls.module.js';
import { ModelWatchModule } from './modules/model-watch/model-watch.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { PersonalDataModule } from './modules/personal-data/personal-data.module.js';
import { PagesModule } from './pages/pages.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { QueueModule } from './queue/queue.module.js';

/** `User-Agent` of requests to webhooks and tools. */
const USER_AGENT = 'VoiceAssistantCalls/1';

@Module({})
export class AppModule {
  static forRoot(settings: RuntimeSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        SecretsModule,
        EventsModule,
        QueueModule.forRoot(settings),
        OutboundHttpModule.forRoot({ allowCidrs: settings.outbound.allowCidrs, userAgent: USER_AGENT }),
        AuthModule,
        InFlightModule.forRoot({ maxPerAccount: settings.http.maxInFlightPerAccount }),
        IdempotencyModule,
        HealthModule,
        MetricsModule,
        AuditModule,
        AccountsModule,
        RetentionModule,
        CatalogModule,
        PhoneNumbersModule,
        ToolsModule,
        GroupsModule,
        KnowledgeModule,
        SmsModule,
        AssistantsModule,
        ModelWatchModule,
        DialerModule,
        CampaignReportsModule,
        LeadsModule,
        SuppressionsModule,
        ConversationsModule,
        WebCallsModule,
        ChatsModule,
        CampaignsModule,
        CallsModule,
        RecordingsModule,
        WebhooksModule,
        ApiKeysModule,
        PersonalDataModule,
        PagesModule.forRoot(settings),
      ],
    };
  }
}
