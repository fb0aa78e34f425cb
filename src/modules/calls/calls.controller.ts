import { Controller, Delete, Get, Header, Post, Query, Redirect, type StreamableFile } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { CSV_RESPONSE } from '#src/common/csv/csv-stream.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { DataResult, MessageResponse } from '#src/http/message.response.js';
import { PathId } from '#src/http/path-id.js';
import type { StreamedPage } from '#src/http/pagination/page.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { RecordingNotFound } from '../recordings/recordings.errors.js';
import { CallHangUpService } from './states/call-hang-up.service.js';
import { CallHasEnded, CallNotFound } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import { CallTurnsService, TURNS_PER_PAGE } from './turns/call-turns.service.js';
import { ListTurnsDto } from './dto/call-turns.dto.js';
import { CallTurnsResponse } from './dto/call-turns.response.js';
import { ExportCallsDto, ListCallsDto } from './dto/calls.dto.js';
import { CallResponse } from './dto/call.response.js';

@ApiResource('Calls')
@Controller('user/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly turns: CallTurnsService,
    private readonly hangUps: CallHangUpService,
  ) {}

  @Get()
  @Endpoint({ summary: 'Calls, newest first, paginated', page: CallResponse })
  listCalls(@UserId() userId: number, @Query() query: ListCallsDto): Promise<StreamedPage> {
    return this.calls.listCalls(userId, query);
  }

  @Get('export')
  @RecordsRead('call.export')
  @Endpoint({
    summary: 'Calls as a CSV file, newest first, with the filters of the list',
    stream: CSV_RESPONSE,
  })
  exportCalls(@UserId() userId: number, @Query() query: ExportCallsDto): Promise<StreamableFile> {
    return this.calls.exportCalls(userId, query);
  }

  @Get(':id')
  @RecordsRead('call.read')
  @Endpoint({ summary: 'One call', body: CallResponse })
  getCall(@UserId() userId: number, @PathId(CallNotFound) id: number): Promise<CallResponse> {
    return this.calls.getCall(userId, id);
  }

  @Get(':id/turns')
  @RecordsRead('call.read-turns')
  @Endpoint({
    summary: 'Turns of a call, with tools, times and tokens',
    description: `In order, ${TURNS_PER_PAGE} at a time; also while the call runs. Keys that were pressed are masked.`,
    data: CallTurnsResponse,
  })
  async listTurns(
    @UserId() userId: number,
    @PathId(CallNotFound) id: number,
    @Query() query: ListTurnsDto,
  ): Promise<DataResult<CallTurnsResponse>> {
    return { data: await this.turns.listTurns(userId, id, query) };
  }

  @Get(':id/recording')
  @RecordsRead('call.read-recording')
  @Header('Cache-Control', 'no-store')
  @Redirect()
  @Endpoint({
    summary: 'The recording of a call',
    description: 'Leads to a signed URL that plays without a token, in a browser too.',
    redirect: 'To the recording.',
    errors: [RecordingNotFound],
  })
  getRecording(@UserId() userId: number, @PathId(CallNotFound) id: number): Promise<{ url: string }> {
    return this.calls.createRecordingLink(userId, id);
  }

  @Post(':id/end')
  @Endpoint({
    summary: 'Hang up a call that waits, rings or runs',
    description:
      'The end follows within seconds: `ended_by` is `system`, `ended_reason` is `ended_by_user`; a call that was not answered becomes `no-answer`.',
    errors: [CallHasEnded],
    scope: 'calls',
  })
  async endCall(@UserId() userId: number, @PathId(CallNotFound) id: number): Promise<MessageResponse> {
    await this.hangUps.endCall(userId, id);
    return { message: 'Call ended successfully' };
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a call record and its recording',
    scope: 'calls',
  })
  async deleteCall(@UserId() userId: number, @PathId(CallNotFound) id: number): Promise<MessageResponse> {
    await this.calls.deleteCall(userId, id);
    return { message: 'Call deleted successfully' };
  }
}
