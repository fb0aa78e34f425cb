import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { CallAttemptsRepository } from './call-attempts.repository.js';
import { CallerIdsService } from './caller-ids.service.js';
import { OutboundCallsService } from './outbound-calls.service.js';
import { CallOutcomeListener } from './call-outcome.listener.js';
import { CampaignCallsService } from './campaign-calls.service.js';
import { CampaignDialProcessor } from './campaign-dial.processor.js';
import { CampaignDialerService } from './campaign-dialer.service.js';
import { AttemptsPersonalDataService } from './attempts-personal-data.service.js';
import { CallAttempt } from './entities/call-attempt.entity.js';
import { DialForecastService } from './dial-forecast.service.js';
import { DialQueueService } from './dial-queue.service.js';
import { DialMetricsService } from './dial-metrics.service.js';
import { LeadSelectionService } from './lead-selection.service.js';
import { ReadyCampaignsService } from './ready-campaigns.service.js';
import { LostCallLeadsService } from './lost-call-leads.service.js';
import { LostCallRecordsService } from './lost-call-records.service.js';
import { MakeCallController } from './make-call.controller.js';
import { MakeCallService } from './make-call.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CallAttempt]),
    AccountsModule,
    AssistantsModule,
    CallsModule,
    CampaignsModule,
    LeadsModule,
    PhoneNumbersModule,
    SuppressionsModule,
    TelephonyModule,
  ],
  controllers: [MakeCallController],
  providers: [
    AttemptsPersonalDataService,
    CallAttemptsRepository,
    CallerIdsService,
    OutboundCallsService,
    CallOutcomeListener,
    CampaignCallsService,
    CampaignDialerService,
    CampaignDialProcessor,
    DialForecastService,
    DialQueueService,
    DialMetricsService,
    LeadSelectionService,
    LostCallLeadsService,
    LostCallRecordsService,
    MakeCallService,
    ReadyCampaignsService,
  ],
  exports: [AttemptsPersonalDataService, DialForecastService, LeadSelectionService],
})
export class DialerModule {}
