import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { CampaignLeads } from './campaign-leads.service.js';
import { Lead } from './entities/lead.entity.js';
import { LeadImport } from './import/lead-import.service.js';
import { JsonStreams } from './json-streams.service.js';
import { LeadInsert } from './lead-insert.service.js';
import { LeadCopies } from './lead-copies.service.js';
import { LeadList } from './lead-list.service.js';
import { LeadUpdates } from './lead-updates.service.js';
import { LeadsController } from './leads.controller.js';
import { LeadsDialling } from './leads-dialling.service.js';
import { LeadsService } from './leads.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Lead]), AccountsModule, CampaignsModule],
  controllers: [LeadsController],
  providers: [
    LeadsService,
    LeadList,
    LeadUpdates,
    LeadCopies,
    LeadInsert,
    LeadImport,
    LeadsDialling,
    CampaignLeads,
    JsonStreams,
  ],
  exports: [LeadsDialling],
})
export class LeadsModule {}
