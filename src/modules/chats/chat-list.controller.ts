import { Controller, Get, Param, Query } from '@nestjs/common';
import { UserId } from '#src/auth/auth.decorators.js';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import type { Page } from '#src/common/pagination/page.js';
import type { Data } from '#src/common/http/message.response.js';
import { UuidParam } from './uuid-param.js';
import { ChatListService } from './chat-list.service.js';
import { ChatNotFound } from './chats.errors.js';
import { ListChatsDto } from './dto/chat-input.dto.js';
import { ChatResponse } from './dto/chat.response.js';

@ApiResource('Conversations')
@Controller('user/conversations')
export class ChatListController {
  constructor(private readonly chats: ChatListService) {}

  @Get()
  @Endpoint({
    summary: 'Text conversations, newest first, by pages or cursors',
    page: ChatResponse,
    withCursors: true,
  })
  listConversations(@UserId() userId: number, @Query() query: ListChatsDto): Promise<Page<ChatResponse>> {
    return this.chats.pageOfChats(userId, query);
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
  ): Promise<Data<ChatResponse>> {
    return { data: await this.chats.getChat(userId, uuid) };
  }
}
