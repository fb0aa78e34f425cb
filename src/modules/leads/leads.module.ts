import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { LeadAppointmentsService } from './lead-appointments.service.js';
import { CampaignLeadsService } from './campaign-leads.service.js';
import { Lead, LeadCount, LeadDayCount } from './entities/lead.entity.js';
import { LeadImportService } from './import/lead-import.service.js';
import { JsonStreamsService } from './json-streams.service.js';
import { LeadsRepository } from './leads.repository.js';
import { LeadClaimsRepository } from './lead-claims.repository.js';
import { LeadDuplicatesService } from './lead-duplicates.service.js';
import { LeadListService } from './lead-list.service.js';
import { LeadUpdatesService } from './lead-updates.service.js';
import { LeadAliasController, LeadsController } from './leads.controller.js';
import { LeadLookupService } from './lead-lookup.service.js';
import { LeadsPersonalDataService } from './leads-personal-data.service.js';
import { LeadQueueService } from './lead-queue.service.js';
import { LeadZonesService } from './lead-zones.service.js';
import { LeadsService } from './leads.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Lead, LeadCount, LeadDayCount]),
    AccountsModule,
    CampaignsModule,
    SuppressionsModule,
  ],
  controllers: [LeadsController, LeadAliasController],
  providers: [
    LeadsService,
    LeadListService,
    LeadUpdatesService,
    LeadDuplicatesService,
    LeadsRepository,
    LeadImportService,
    LeadLookupService,
    LeadQueueService,
    LeadClaimsRepository,
    LeadZonesService,
    CampaignLeadsService,
    LeadAppointmentsService,
    JsonStreamsService,
    LeadsPersonalDataService,
  ],
  exports: [
    LeadsPersonalDataService,
    CampaignLeadsService,
    LeadAppointmentsService,
    LeadsService,
    LeadListService,
    LeadLookupService,
    LeadQueueService,
    LeadClaimsRepository,
  ],
})
export class LeadsModule {}
