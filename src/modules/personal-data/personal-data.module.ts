import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { ChatsModule } from '../chats/chats.module.js';
import { DialerModule } from '../dialer/dialer.module.js';
import { KnowledgeModule } from '../knowledge/knowledge.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { SmsModule } from '../sms/sms.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { PersonalDataJob } from './entities/personal-data-job.entity.js';
import { AnswerErasureService } from './erasure/answer-erasure.service.js';
import { CallErasureService } from './erasure/call-erasure.service.js';
import { CallTracesService } from './erasure/call-traces.service.js';
import { ChatErasureService } from './erasure/chat-erasure.service.js';
import { ErasureStepsService } from './erasure/erasure-steps.service.js';
import { ErasureService } from './erasure/erasure.service.js';
import { LeadErasureService } from './erasure/lead-erasure.service.js';
import { MessageErasureService } from './erasure/message-erasure.service.js';
import { RemainsErasureService } from './erasure/remains-erasure.service.js';
import { RequestWaitService } from './erasure/request-wait.service.js';
import { ErasuresController } from './erasures.controller.js';
import { ErasuresService } from './erasures.service.js';
import { ArchiveService } from './export/archive.service.js';
import { ExportSourcesService } from './export/export-sources.service.js';
import { ExportService } from './export/export.service.js';
import { KeptAnswersService } from './export/kept-answers.service.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { PersonalDataJobsRepository } from './personal-data-jobs.repository.js';
import { PersonalDataProcessor } from './personal-data.processor.js';
import { PersonalDataService } from './personal-data.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([PersonalDataJob]),
    AccountsModule,
    CallsModule,
    ChatsModule,
    DialerModule,
    KnowledgeModule,
    LeadsModule,
    RecordingsModule,
    SmsModule,
    SuppressionsModule,
    WebhooksModule,
  ],
  controllers: [ErasuresController, ExportsController],
  providers: [
    AnswerErasureService,
    ArchiveService,
    CallErasureService,
    CallTracesService,
    ChatErasureService,
    ErasureService,
    ErasureStepsService,
    ErasuresService,
    ExportService,
    ExportSourcesService,
    ExportsService,
    KeptAnswersService,
    LeadErasureService,
    MessageErasureService,
    PersonalDataJobsRepository,
    PersonalDataProcessor,
    PersonalDataService,
    RemainsErasureService,
    RequestWaitService,
  ],
})
export class PersonalDataModule {}
