import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerAuditService } from '../accounts/ledger-audit.service.js';
import { LlmModule } from '../llm/llm.module.js';
import { PhoneNumberReleasesService } from '../phone-numbers/phone-number-releases.service.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { AnalyticsController } from './analytics/analytics.controller.js';
import { AnalyticsRepository } from './analytics/analytics.repository.js';
import { AnalyticsService } from './analytics/analytics.service.js';
import { CallStatisticsService } from './analytics/call-statistics.service.js';
import { findStatisticsDifferences } from './analytics/statistics-check.js';
import { CallReconciliationProcessor } from './states/call-reconciliation.processor.js';
import { CallReconciliationRepository } from './states/call-reconciliation.repository.js';
import { CALL_HOLD_SOURCE, CALL_LEDGER_SOURCE, CallChargesService } from './wrap-up/call-charges.service.js';
import { CallChangesService } from './call-changes.service.js';
import { CallActionsService } from './states/call-actions.service.js';
import { CallHangUpService } from './states/call-hang-up.service.js';
import { CallListService } from './call-list.service.js';
import { CallMetricsService } from './call-metrics.service.js';
import { CallStateService } from './states/call-state.service.js';
import { CallTransfersService } from './states/call-transfers.service.js';
import { CallsRepository } from './calls.repository.js';
import { CallCountersService } from './call-counters.service.js';
import { CampaignCallCountersService } from './campaign-call-counters.service.js';
import { TranscriptRepository } from './wrap-up/transcript.repository.js';
import { WrapUpRepository } from './wrap-up/wrap-up.repository.js';
import { CallsController } from './calls.controller.js';
import { CallsService } from './calls.service.js';
import {
  CallModelUsage,
  CallResultCount,
  CallCounter,
  CallToolRun,
  CallTurn,
  CallWebhookResponse,
} from './entities/call-records.entities.js';
import { Call } from './entities/call.entity.js';
import { CallStat, CallStatChange, CallStatValue } from './entities/call-statistics.entities.js';
import { LiveEvent } from './entities/live-event.entity.js';
import { LiveEventCleanupService } from './live/live-event-cleanup.service.js';
import { LiveEventsController } from './live/live-events.controller.js';
import { LiveEventsRepository } from './live/live-events.repository.js';
import { LiveEventsService } from './live/live-events.service.js';
import { AuthModule } from '#src/auth/auth.module.js';
import { CallRetentionService } from './retention/call-retention.service.js';
import { StatisticsRetentionService } from './retention/statistics-retention.service.js';
import { CallsPersonalExportService } from './personal-data/calls-personal-export.service.js';
import { CallsPersonalDataService } from './personal-data/calls-personal-data.service.js';
import { CallTurnsService } from './turns/call-turns.service.js';
import { CarrierPriceReconciliationService } from './wrap-up/carrier-price-reconciliation.service.js';
import { CarrierRecordsService } from './wrap-up/carrier-records.service.js';
import { CallEvaluationService, EvaluatorService } from './wrap-up/call-evaluation.service.js';
import { LostCallsService } from './states/lost-calls.service.js';
import { UnplacedCallsService } from './states/unplaced-calls.service.js';
import { VisitorCallsService } from './visitor-calls.service.js';
import { WebCallStateService } from './states/web-call-state.service.js';
import { WrapUpListener, WrapUpProcessor } from './wrap-up/wrap-up.processor.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      Call,
      CallModelUsage,
      CallResultCount,
      CallStat,
      CallStatChange,
      CallStatValue,
      CallCounter,
      CallToolRun,
      CallTurn,
      CallWebhookResponse,
      LiveEvent,
    ]),
    AuthModule,
    AccountsModule,
    LlmModule,
    PhoneNumbersModule,
    RecordingsModule,
    RetentionModule,
    SuppressionsModule,
    TelephonyModule,
  ],
  controllers: [LiveEventsController, CallsController, AnalyticsController],
  providers: [
    AnalyticsRepository,
    AnalyticsService,
    CallStatisticsService,
    CallRetentionService,
    StatisticsRetentionService,
    CallsService,
    CallHangUpService,
    CallListService,
    CallsPersonalDataService,
    CallsPersonalExportService,
    CallTurnsService,
    CallCountersService,
    CampaignCallCountersService,
    CallActionsService,
    CallChangesService,
    CallTransfersService,
    CallsRepository,
    CallMetricsService,
    CallStateService,
    TranscriptRepository,
    WrapUpRepository,
    CallReconciliationRepository,
    CallReconciliationProcessor,
    UnplacedCallsService,
    LostCallsService,
    CarrierPriceReconciliationService,
    CallChargesService,
    CarrierRecordsService,
    CallEvaluationService,
    EvaluatorService,
    LiveEventCleanupService,
    LiveEventsRepository,
    LiveEventsService,
    VisitorCallsService,
    WrapUpListener,
    WebCallStateService,
    WrapUpProcessor,
  ],
  exports: [
    CallsPersonalDataService,
    CallsPersonalExportService,
    CallsService,
    CallsRepository,
    CallActionsService,
    CampaignCallCountersService,
    CallStateService,
    CallTransfersService,
    EvaluatorService,
    LiveEventsService,
    LostCallsService,
    TranscriptRepository,
    VisitorCallsService,
    WebCallStateService,
  ],
})
export class CallsModule {
  constructor(audit: LedgerAuditService, numbers: PhoneNumberReleasesService, calls: CallsRepository) {
    audit.registerSource(CALL_LEDGER_SOURCE);
    audit.registerHolds(CALL_HOLD_SOURCE);
    audit.registerCheck(findStatisticsDifferences);
    numbers.registerUseCheck((tx, accountId, phoneNumber) =>
      calls.hasRunningCall(tx, accountId, phoneNumber),
    );
  }
}
