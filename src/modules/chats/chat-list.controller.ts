import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { Post } from '#src/common/idempotency/post.decorator.js';
import { Query } from '#src/common/validation/params.decorator.js';
import { ChatListService } from './chat-list.service.js';
import { ChatHasEnded, ChatIsAnswering, ChatNotFound } from './chats.errors.js';
import { ChatsService } from './chats.service.js';
import { ListChatsDto } from './dto/chat-input.dto.js';
import { ChatResponse } from './dto/chat.response.js';

@ApiResource('Conversations')
@Controller('user/conversations')
export class ChatListController {
  constructor(
    private readonly list: ChatListService,
    private readonly chats: ChatsService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Text conversations, newest first, by pages or cursors',
    page: ChatResponse,
    withCursors: true,
  })
  listConversations(@UserId() userId: number, @Query() query: ListChatsDto) {
    return this.list.pageOfChats(userId, query);
  }

  @Get(':uuid')
  @ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } })
  @Endpoint({
    summary: 'One text conversation, without its messages',
    data: ChatResponse,
    errors: [ChatNotFound],
  })
  getListedConversation(@UserId() userId: number, @Param('uuid') uuid: string) {
    return this.list.getChat(userId, uuid);
  }

  @Post(':uuid/end')
  @ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } })
  @Endpoint({
    summary: 'End a text conversation',
    description:
      'As its silence does: it is evaluated and told to the webhook, and takes no further message.',
    scope: 'messages',
    message: 'Conversation ended successfully',
    errors: [ChatNotFound, ChatHasEnded, ChatIsAnswering],
  })
  endConversation(@UserId() userId: number, @Param('uuid') uuid: string) {
    return this.chats.endChat(userId, uuid);
  }
}
