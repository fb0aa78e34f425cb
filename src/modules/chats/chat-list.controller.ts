import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { Page } from '#src/http/pagination/page.js';
import type { DataResult, MessageResponse } from '#src/http/message.response.js';
import { UuidParam } from './uuid-param.js';
import { ChatListService } from './chat-list.service.js';
import { ChatHasEnded, ChatResponsePending, ChatNotFound } from './chats.errors.js';
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
  listConversations(@UserId() userId: number, @Query() query: ListChatsDto): Promise<Page<ChatResponse>> {
    return this.list.pageOfChats(userId, query);
  }

  @Get(':uuid')
  @UuidParam()
  @Endpoint({
    summary: 'One text conversation, without its messages',
    data: ChatResponse,
    errors: [ChatNotFound],
  })
  async getListedConversation(
    @UserId() userId: number,
    @Param('uuid') uuid: string,
  ): Promise<DataResult<ChatResponse>> {
    return { data: await this.list.getChat(userId, uuid) };
  }

  @Post(':uuid/end')
  @UuidParam()
  @Endpoint({
    summary: 'End a text conversation',
    description:
      'As its silence does: it is evaluated and told to the webhook, and takes no further message.',
    scope: 'messages',
    errors: [ChatNotFound, ChatHasEnded, ChatResponsePending],
  })
  async endConversation(@UserId() userId: number, @Param('uuid') uuid: string): Promise<MessageResponse> {
    await this.chats.endChat(userId, uuid);
    return { message: 'Conversation ended successfully' };
  }
}
