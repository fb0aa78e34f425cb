import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import { IdempotentRequestId } from '#src/http/idempotency/keyed-requests.js';
import { DrainGuard } from '#src/health/drain.guard.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { BeginUserWebCallDto } from './dto/web-call-input.dto.js';
import { WebCallResponse } from './dto/web-call.response.js';
import { WebCallsService } from './web-calls.service.js';

@ApiResource('Web calls')
@Controller('user/web-calls')
export class UserWebCallsController {
  constructor(private readonly webCalls: WebCallsService) {}

  @Post()
  @UseGuards(DrainGuard)
  @Endpoint({
    summary: 'Begin a call in a browser',
    description:
      'With any active assistant. The browser opens `url`; what it then sends and gets: docs/use/web-calls.md.',
    scope: 'calls',
    body: WebCallResponse,
    errors: [AssistantNotFound],
  })
  beginUserWebCall(
    @UserId() userId: number,
    @Body() dto: BeginUserWebCallDto,
    @IdempotentRequestId() requestId: string | null,
  ): Promise<WebCallResponse> {
    return this.webCalls.beginForUser(userId, dto, requestId);
  }
}
