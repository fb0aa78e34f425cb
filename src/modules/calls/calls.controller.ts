import { Controller, Delete, Get, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import { CallNotFound } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import { CallTurnsService, TURNS_PAGE } from './call-turns.service.js';
import { CallTurnsResponse, ListTurnsDto } from './dto/call-turns.dto.js';
import { CallResponse, ListCallsDto } from './dto/calls.dto.js';

@ApiResource('Calls')
@Controller('user/calls')
export class CallsController {
  constructor(
    private readonly calls: CallsService,
    private readonly turns: CallTurnsService,
  ) {}

  @Get()
  @Endpoint({ summary: 'Calls, newest first, paginated', page: CallResponse })
  listCalls(@UserId() userId: number, @Query() query: ListCallsDto) {
    return this.calls.listCalls(userId, query);
  }

  @Get(':id')
  @Endpoint({ summary: 'One call', data: CallResponse })
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

  @Delete(':id')
  @Endpoint({ summary: 'Delete a call record', message: 'Call deleted successfully' })
  deleteCall(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.deleteCall(userId, id);
  }
}
