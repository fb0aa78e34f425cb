import { Injectable, type StreamableFile } from '@nestjs/common';
import type { TokenUser } from '#src/auth/access-tokens.service.js';
import { LiveEventsService } from '#src/modules/calls/live/live-events.service.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { CampaignsService } from '#src/modules/campaigns/campaigns.service.js';
import type { CountersEvent } from './dto/campaign-events.response.js';

interface CampaignReader {
  accountId: number;
  campaignId: number;
  user: TokenUser;
  lastEventId: string | undefined;
  from?: 'now' | undefined;
}

/** What happens in a campaign, for those who watch it. */
@Injectable()
export class CampaignEventsService {
  constructor(
    private readonly live: LiveEventsService,
    private readonly campaigns: CampaignsService,
  ) {}

  /** @throws CampaignNotFound, TooManyRequests */
  async watchCampaign({ accountId, campaignId, ...reader }: CampaignReader): Promise<StreamableFile> {
    if (!(await this.campaigns.ownsCampaign(accountId, campaignId))) throw new CampaignNotFound();
    return this.live.openStream({
      ...reader,
      accountId,
      callId: null,
      campaignId,
      counters: () => this.countersOf(accountId, campaignId),
    });
  }

  /** @returns null: the campaign was deleted */
  private async countersOf(accountId: number, campaignId: number): Promise<CountersEvent | null> {
    try {
      const { status, stopped_reason, paused_reason, stats } = await this.campaigns.getCampaign(
        accountId,
        campaignId,
      );
      return { campaign_id: campaignId, status, stopped_reason, paused_reason, ...stats };
    } catch (error) {
      if (error instanceof CampaignNotFound) return null;
      throw error;
    }
  }
}
