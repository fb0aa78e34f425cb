import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource } from '#src/http/endpoint.decorator.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { IdempotentRequestId } from '#src/http/idempotency/keyed-requests.js';
import { ChatRepliesService } from './chat-replies.service.js';
import { ChatReplyInterceptor, ReplyEndpoint } from './chat-reply.interceptor.js';
import type { ChatReply } from './chats.service.js';
import { ChatHasEnded } from './chats.errors.js';
import { GenerateReplyDto } from './dto/chat-input.dto.js';
import { ReplyErrorResponse, ReplyResponse } from './dto/chat.response.js';

@ApiResource('Conversations')
@Controller(['user/ai', 'ai'])
export class ChatRepliesController {
  constructor(private readonly replies: ChatRepliesService) {}

  @Post('generate-reply')
  // The answer takes as long as the model and the tools do.
  @WithRouteConfig({ isHeldOpen: true })
  @UseInterceptors(ChatReplyInterceptor)
  @ReplyEndpoint({
    summary: 'Let an assistant answer a message of your customer',
    description:
      'The message is part of the conversation of the customer with the assistant, of type `api`; without one that goes ' +
      'on, one begins, without a greeting. It costs what a message costs, and counts for the hourly spend limits ' +
      '(429, `code` `SPEND_LIMIT_REACHED`).',
    scope: 'messages',
    body: ReplyResponse,
    errors: [
      { status: 402, description: 'The balance pays for no message.', type: ReplyErrorResponse },
      { status: 404, description: 'Assistant not found', type: ReplyErrorResponse },
      ChatHasEnded,
    ],
  })
  generateReply(
    @UserId() userId: number,
    @Body() dto: GenerateReplyDto,
    @IdempotentRequestId() requestId: string | null,
  ): Promise<ChatReply<ReplyResponse>> {
    return this.replies.generateReply(userId, dto, requestId);
  }
}
