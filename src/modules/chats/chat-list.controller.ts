import { Controller, Get } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { Query } from '#src/common/validation/params.decorator.js';
import { ChatsService } from './chats.service.js';
import { ListChatsDto } from './dto/chat-input.dto.js';
import { ChatResponse } from './dto/chat.response.js';

@ApiResource('Conversations')
@Controller('user/conversations')
export class ChatListController {
  constructor(private readonly chats: ChatsService) {}

  @Get()
  @Endpoint({ summary: 'Text conversations, newest first, paginated', page: ChatResponse })
  listConversations(@UserId() userId: number, @Query() query: ListChatsDto) {
    return this.chats.pageOfChats(userId, query);
  }
}
