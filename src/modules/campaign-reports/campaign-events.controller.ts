import { Controller, Get, Headers, Query, type StreamableFile } from '@nestjs/common';
import type { TokenUser } from '#src/auth/access-tokens.service.js';
import { RequestTokenUser, UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { EVENT_STREAM, EventStream } from '#src/http/event-stream.decorator.js';
import { PathId } from '#src/http/path-id.js';
import { EndedEvent, StatusEvent } from '#src/modules/calls/dto/live-events.response.js';
import { WatchEventsDto } from '#src/http/event-stream.dto.js';
import { LIVE_EVENTS_DESCRIPTION } from '#src/modules/calls/live/live-events.controller.js';
import { CampaignNotFound } from '#src/modules/campaigns/campaigns.errors.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { CampaignEventsService } from './campaign-events.service.js';
import { CountersEvent } from './dto/campaign-events.response.js';

@ApiResource('Campaigns')
@Controller('user/campaigns')
export class CampaignEventsController {
  constructor(private readonly events: CampaignEventsService) {}

  @Get(':id/events')
  @RecordsRead('campaign.watch')
  @EventStream()
  @Endpoint({
    summary: 'The statistics of a campaign and its calls, as server-sent events',
    description: [
      'Events `counters`, `status` and `ended`; the data of each is JSON: `CountersEvent`, `StatusEvent`, `EndedEvent`. `counters` has no id: it is sent first and whenever it has changed, at most once a second.',
      'The stream also ends when the campaign is deleted.',
      LIVE_EVENTS_DESCRIPTION,
    ].join('\n\n'),
    stream: {
      mediaType: EVENT_STREAM,
      schema: {
        type: 'string',
        example: 'event: counters\ndata: {"campaign_id": 1, "leads": {"created": 2}}\n\n',
      },
      models: [CountersEvent, StatusEvent, EndedEvent],
    },
  })
  watchCampaign(
    @UserId() accountId: number,
    @PathId(CampaignNotFound) campaignId: number,
    @RequestTokenUser() user: TokenUser,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() { from }: WatchEventsDto,
  ): Promise<StreamableFile> {
    return this.events.watchCampaign({ accountId, campaignId, user, lastEventId, from });
  }
}
