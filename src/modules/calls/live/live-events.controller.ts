import { Controller, Get, Headers, Query, type StreamableFile } from '@nestjs/common';
import type { TokenUser } from '#src/auth/access-tokens.service.js';
import { RequestTokenUser, UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { EVENT_STREAM, EventStream } from '#src/http/event-stream.decorator.js';
import { PathId } from '#src/http/path-id.js';
import { RecordsRead } from '../../audit/records-read.decorator.js';
import { CallNotFound } from '../calls.errors.js';
import { EndedEvent, StatusEvent, ToolEvent, TransferEvent, TurnEvent } from '../dto/live-events.response.js';
import { WatchEventsDto } from '#src/http/event-stream.dto.js';
import { LiveEventsService } from './live-events.service.js';

const EVENTS =
  'Events `status`, `turn`, `tool`, `transfer` and `ended`; the data of each is JSON: `StatusEvent`, `TurnEvent`, `ToolEvent`, `TransferEvent`, `EndedEvent`.';

/** Of every stream. */
export const LIVE_EVENTS_DESCRIPTION = [
  'Events are kept for an hour. The stream begins with the oldest one, or behind `Last-Event-ID`; an id that names no kept event counts as none.',
  'Ids are numbers that grow; each event is sent once and in order. A comment is sent every 15 seconds.',
  'The stream ends when its token is revoked and when the service restarts; connect again with the last id. At most 50 streams of an account are open at once.',
].join('\n\n');

const stream = {
  mediaType: EVENT_STREAM,
  schema: { type: 'string', example: 'id: 7\nevent: status\ndata: {"call_id": 1, "status": "ringing"}\n\n' },
  models: [StatusEvent, TurnEvent, ToolEvent, TransferEvent, EndedEvent],
};

@ApiResource('Calls')
@Controller('user/calls')
export class LiveEventsController {
  constructor(private readonly live: LiveEventsService) {}

  @Get('events')
  @RecordsRead('call.watch')
  @EventStream()
  @Endpoint({
    summary: 'Events of all calls, as server-sent events',
    description: `${EVENTS}\n\n${LIVE_EVENTS_DESCRIPTION}`,
    stream,
  })
  watchCalls(
    @UserId() accountId: number,
    @RequestTokenUser() user: TokenUser,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() { from }: WatchEventsDto,
  ): Promise<StreamableFile> {
    return this.live.openStream({ accountId, callId: null, user, lastEventId, from });
  }

  @Get(':id/events')
  @RecordsRead('call.watch')
  @EventStream()
  @Endpoint({
    summary: 'Events of one call, as server-sent events',
    description: `The stream ends after \`ended\`, and at once when the call was final before and its events are not kept any more.\n\n${EVENTS}\n\n${LIVE_EVENTS_DESCRIPTION}`,
    stream,
  })
  watchCall(
    @UserId() accountId: number,
    @PathId(CallNotFound) callId: number,
    @RequestTokenUser() user: TokenUser,
    @Headers('last-event-id') lastEventId: string | undefined,
  ): Promise<StreamableFile> {
    return this.live.openStream({ accountId, callId, user, lastEventId });
  }
}
