import { Controller, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { ChatsService } from './chats.service.js';
import { AiSwitchedResponse, ChatErrorResponse } from './dto/chat.response.js';

/** A person takes a conversation over, and hands it back. */
const SwitchEndpoint = (summary: string, description: string): MethodDecorator => {
  const endpoint = Endpoint({
    summary,
    description,
    scope: 'messages',
    body: AiSwitchedResponse,
    errors: [{ status: 404, description: 'Conversation not found', type: ChatErrorResponse }],
  });
  const uuid = ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } });
  return (...handler) => {
    uuid(...handler);
    endpoint(...handler);
  };
};

@ApiResource('Conversations')
@Controller('automate/conversations/:uuid')
export class ChatAiController {
  constructor(private readonly chats: ChatsService) {}

  @Post('enable-ai')
  @SwitchEndpoint('Let the assistant answer a text conversation again', 'From the next message on.')
  enableAi(@UserId() userId: number, @Param('uuid') uuid: string) {
    return this.chats.switchAi(userId, uuid, true);
  }

  @Post('disable-ai')
  @SwitchEndpoint(
    'Let a person answer a text conversation',
    'Further messages are kept; the assistant is not asked, and they cost nothing.',
  )
  disableAi(@UserId() userId: number, @Param('uuid') uuid: string) {
    return this.chats.switchAi(userId, uuid, false);
  }
}
