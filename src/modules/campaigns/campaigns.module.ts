import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AssistantsModule } from '../assistants/assistants.module.js';
import { PhoneNumbersModule } from '../phone-numbers/phone-numbers.module.js';
import { CampaignAliasController } from './campaign-alias.controller.js';
import { CampaignParts } from './campaign-parts.js';
import { CampaignReferences } from './campaign-references.service.js';
import { CampaignRemovalProcessor } from './campaign-removal.processor.js';
import { CampaignSwitch } from './campaign-switch.service.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsService } from './campaigns.service.js';
import { Campaign } from './entities/campaign.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Campaign]), AccountsModule, AssistantsModule, PhoneNumbersModule],
  controllers: [CampaignsController, CampaignAliasController],
  providers: [CampaignsService, CampaignSwitch, CampaignReferences, CampaignParts, CampaignRemovalProcessor],
  exports: [CampaignsService, CampaignParts],
})
export class CampaignsModule {}
