import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { IdempotentRequestId } from '#src/http/idempotency/keyed-requests.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { DrainGuard } from '#src/health/drain.guard.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { MakeCallDto } from './dto/make-call.dto.js';
import { MakeCallResponse } from './dto/make-call.response.js';
import { MakeCallService } from './make-call.service.js';

@ApiResource('Calls')
@Controller('user')
export class MakeCallController {
  constructor(private readonly calls: MakeCallService) {}

  @Post('make_call')
  @UseGuards(DrainGuard)
  @Endpoint({
    summary: 'Call a number with an outbound assistant',
    scope: 'calls',
    body: MakeCallResponse,
    description:
      'A 429 with `Retry-After` also says that the hourly spend limit of the account or of the API key is reached.',
    errors: [{ status: 400, description: 'Impossible phone number.' }, AssistantNotFound],
  })
  makeCall(
    @UserId() userId: number,
    @Body() dto: MakeCallDto,
    @IdempotentRequestId() requestId: string | null,
  ): Promise<MakeCallResponse> {
    return this.calls.makeCall(userId, dto, requestId);
  }
}
