import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { DialerModule } from '../dialer/dialer.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { TelephonyModule } from '../telephony/telephony.module.js';
import { CampaignEventsController } from './campaign-events.controller.js';
import { CampaignEventsService } from './campaign-events.service.js';
import { CampaignForecastService } from './campaign-forecast.service.js';
import { CampaignPreviewController } from './campaign-preview.controller.js';
import { CampaignPreviewService } from './campaign-preview.service.js';
import { CampaignResultsController } from './campaign-results.controller.js';
import { CampaignResultsService } from './campaign-results.service.js';

@Module({
  imports: [AccountsModule, CallsModule, CampaignsModule, DialerModule, LeadsModule, TelephonyModule],
  controllers: [CampaignResultsController, CampaignEventsController, CampaignPreviewController],
  providers: [CampaignEventsService, CampaignForecastService, CampaignPreviewService, CampaignResultsService],
})
export class CampaignReportsModule {}
