import { Body, Controller, Post } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ServiceUnavailable } from '#src/common/errors/api-error.js';
import { IdempotentRequestId } from '#src/common/idempotency/idempotency.interceptor.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { DrainService } from '#src/health/drain.service.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { MakeCallDto, MakeCallResponse } from './dto/make-call.dto.js';
import { MakeCallService } from './make-call.service.js';

@ApiResource('Calls')
@Controller('user')
export class MakeCallController {
  constructor(
    private readonly calls: MakeCallService,
    private readonly drain: DrainService,
  ) {}

  @Post('make_call')
  @Endpoint({
    summary: 'Call a number with an outbound assistant',
    body: MakeCallResponse,
    errors: [{ status: 400, description: 'Impossible phone number.' }, AssistantNotFound],
  })
  makeCall(
    @UserId() userId: number,
    @Body() dto: MakeCallDto,
    @IdempotentRequestId() requestId: string | null,
  ) {
    if (this.drain.draining) throw new ServiceUnavailable();
    return this.calls.makeCall(userId, dto, requestId);
  }
}
