import { Controller, Delete, Get, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { PathId } from '#src/common/http/path-id.js';
import { CallNotFound } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import { CallResponse, ListCallsDto } from './dto/calls.dto.js';

@ApiResource('Calls')
@Controller('user/calls')
export class CallsController {
  constructor(private readonly calls: CallsService) {}

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

  @Delete(':id')
  @Endpoint({ summary: 'Delete a call record', message: 'Call deleted successfully' })
  deleteCall(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.deleteCall(userId, id);
  }
}
