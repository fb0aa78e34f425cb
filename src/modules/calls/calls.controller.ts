import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiData, ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { ApiPathId, PathId } from '#src/common/http/path-id.js';
import { ResponseMessage } from '#src/common/http/saying.js';
import { ApiPaginated } from '#src/common/pagination/page.js';
import { CallNotFound } from './calls.errors.js';
import { CallsService } from './calls.service.js';
import { CallResponse } from './dto/call.response.js';
import { ListCallsDto } from './dto/list-calls.dto.js';

@ApiResource('Calls')
@Controller('user/calls')
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @Get()
  @ApiOperation({ operationId: 'listCalls', summary: 'Calls, newest first, paginated' })
  @ApiPaginated(CallResponse)
  @ApiInvalid()
  list(@UserId() userId: number, @Query() query: ListCallsDto) {
    return this.calls.listCalls(userId, query);
  }

  @Get(':id')
  @ApiPathId()
  @ResponseMessage()
  @ApiOperation({ operationId: 'getCall', summary: 'One call' })
  @ApiData(ApiOkResponse, CallResponse)
  @ApiNotFound('Call not found')
  get(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.getCall(userId, id);
  }

  @Delete(':id')
  @ApiPathId()
  @ResponseMessage('Call deleted successfully')
  @ApiOperation({ operationId: 'deleteCall', summary: 'Delete a call record' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFound('Call not found')
  delete(@UserId() userId: number, @PathId(CallNotFound) id: number) {
    return this.calls.deleteCall(userId, id);
  }
}
