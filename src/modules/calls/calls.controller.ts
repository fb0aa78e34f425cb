import { Controller, Delete, Get, Header, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { CSV_ANSWER } from '#src/common/csv/csv-stream.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import { RecordingNotFound } from '../recordings/recordings.errors.js';
import { CallHangUpService } from './call-hang-up.service.js';
import { CallIsOver, CallNotFound } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import { CallTurnsService, TURNS_PAGE } from './call-turns.service.js';
import { CallTurnsResponse, ListTurnsDto } from './dto/call-turns.dto.js';
import { CallResponse, ExportCallsDto, ListCallsDto } from './dto/calls.dto.js';

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
  listCalls(@UserId() userId: number, @Query() query: ListCallsDto) {
    return this.calls.listCalls(userId, query);
  }

  @Get('export')
  @Endpoint({
    summary: 'Calls as a CSV file, newest first, with the filters of the list',
    stream: CSV_ANSWER,
  })
  exportCalls(@UserId() userId: number, @Query() query: ExportCallsDto) {
    return this.calls.exportCalls(userId, query);
  }

  @Get(':id')
  @Endpoint({ summary: 'One call', body: CallResponse })
  getCall(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.getCall(userId, id);
  }

  @Get(':id/turns')
  @Endpoint({
    summary: 'What was said in a call, with tools, times and tokens',
    description: `In order, ${TURNS_PAGE} at a time; also while the call runs. Keys that were pressed are masked.`,
    data: CallTurnsResponse,
  })
  listTurns(@UserId() userId: number, @PathId(CallNotFound) id: number, @Query() query: ListTurnsDto) {
    return this.turns.listTurns(userId, id, query);
  }

  @Get(':id/recording')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'The recording of a call',
    description: 'Leads to a signed URL that plays without a token, in a browser too.',
    redirect: 'To the recording.',
    errors: [RecordingNotFound],
  })
  getRecording(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.recordingLink(userId, id);
  }

  @Post(':id/end')
  @Endpoint({
    summary: 'Hang up a call that waits, rings or runs',
    description:
      'The end follows within seconds: `ended_by` is `system`, `ended_reason` is `ended_by_user`; a call that was not answered becomes `no-answer`.',
    message: 'Call ended successfully',
    errors: [CallIsOver],
    scope: 'calls',
  })
  endCall(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.hangUps.endCall(userId, id);
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a call record and its recording',
    message: 'Call deleted successfully',
    scope: 'calls',
  })
  deleteCall(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.deleteCall(userId, id);
  }
}
