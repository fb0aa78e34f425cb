import { Controller, Param, Post } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint, type EndpointOptions } from '#src/http/endpoint.decorator.js';
import { UuidParam } from './uuid-param.js';
import { ChatsService } from './chats.service.js';
import { AiSwitchedResponse, ChatErrorResponse } from './dto/chat.response.js';

/** A person takes a conversation over, and hands it back. */
const switching = (summary: string, description: string) =>
  ({
    summary,
    description,
    scope: 'messages',
    body: AiSwitchedResponse,
    errors: [{ status: 404, description: 'Conversation not found', type: ChatErrorResponse }],
  }) satisfies EndpointOptions;

@ApiResource('Conversations')
@Controller('automate/conversations/:uuid')
export class ChatAiController {
  constructor(private readonly chats: ChatsService) {}

  @Post('enable-ai')
  @UuidParam()
  @Endpoint(switching('Let the assistant answer a text conversation again', 'From the next message on.'))
  enableAi(@UserId() userId: number, @Param('uuid') uuid: string): Promise<AiSwitchedResponse> {
    return this.chats.switchAi(userId, uuid, true);
  }

  @Post('disable-ai')
  @UuidParam()
  @Endpoint(
    switching(
      'Let a person answer a text conversation',
      'Further messages are kept; the assistant is not asked, and they cost nothing.',
    ),
  )
  disableAi(@UserId() userId: number, @Param('uuid') uuid: string): Promise<AiSwitchedResponse> {
    return this.chats.switchAi(userId, uuid, false);
  }
}
