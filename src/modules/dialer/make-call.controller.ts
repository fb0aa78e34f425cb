import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBadRequestResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { IdempotentRequestId } from '#src/common/idempotency/idempotency.interceptor.js';
import { ApiInvalid, ApiNotFound, ApiResource } from '#src/common/http/api-docs.js';
import { MessageResponse } from '#src/common/http/message.response.js';
import { MakeCallDto, MakeCallResponse } from './dto/make-call.dto.js';
import { MakeCallService } from './make-call.service.js';

@ApiResource('Calls')
@Controller('user')
export class MakeCallController {
  constructor(private readonly calls: MakeCallService) {}

  @Post('make_call')
  @HttpCode(200)
  @ApiOperation({ operationId: 'makeCall', summary: 'Call a number with an outbound assistant' })
  @ApiOkResponse({ type: MakeCallResponse })
  @ApiBadRequestResponse({ type: MessageResponse, description: 'Impossible phone number.' })
  @ApiNotFound('Assistant not found')
  @ApiInvalid()
  makeCall(
    @UserId() userId: number,
    @Body() dto: MakeCallDto,
    @IdempotentRequestId() requestId: string | null,
  ) {
    return this.calls.makeCall(userId, dto, requestId);
  }
}
