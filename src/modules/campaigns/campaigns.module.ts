import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { CampaignAliasController, CampaignsController } from './campaigns.controller.js';
import { CampaignChangesService } from './campaign-changes.service.js';
import { CampaignCountersService } from './campaign-counters.service.js';
import { CampaignDataRegistryService } from './campaign-data-registry.service.js';
import { CampaignNumbersListener } from './campaign-numbers.listener.js';
import { CampaignReferencesService } from './campaign-references.service.js';
import { CampaignRemovalProcessor } from './campaign-removal.processor.js';
import { CampaignStatusService } from './campaign-status.service.js';
import { CampaignDiallingService } from './campaign-dialling.service.js';
import { CampaignsService } from './campaigns.service.js';
import { Campaign } from './entities/campaign.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Campaign]),
    AccountsModule,
    AssistantsModule,
    PhoneNumbersModule,
    TelephonyModule,
  ],
  controllers: [CampaignsController, CampaignAliasController],
  providers: [
    CampaignsService,
    CampaignChangesService,
    CampaignStatusService,
    CampaignReferencesService,
    CampaignDataRegistryService,
    CampaignCountersService,
    CampaignDiallingService,
    CampaignRemovalProcessor,
    CampaignNumbersListener,
  ],
  exports: [CampaignsService, CampaignDataRegistryService, CampaignDiallingService],
})
export class CampaignsModule {}
