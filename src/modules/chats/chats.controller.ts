import {
  applyDecorators,
  Body,
  Controller,
  Get,
  Options,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyContextConfig } from 'fastify';
import { OptionalToken } from '#src/auth/auth.decorators.js';
import { Endpoint } from '#src/http/endpoint.decorator.js';
import { WithRouteConfig } from '#src/http/route-config.js';
import { RequestKeyHeader } from '#src/http/idempotency/keyed-requests.js';
import { RecordsRead } from '../audit/records-read.decorator.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { PUBLIC_ROUTE_CORS, PreflightRoute } from '../assistants/widget-access.js';
import { RequestChatAccess, ClientAddress, type ChatAccess } from './chat-access.js';
import { ChatAccessGuard } from './chat-access.guard.js';
import { MAX_MESSAGES } from './chat.types.js';
import { ChatReplyInterceptor, ReplyEndpoint } from './chat-reply.interceptor.js';
import { UuidParam } from './uuid-param.js';
import { ChatBalanceTooLow, ChatHasEnded, ChatNotFound } from './chats.errors.js';
import { ChatsService, type ChatReply } from './chats.service.js';
import { BeginChatDto, ChatMessageDto } from './dto/chat-input.dto.js';
import {
  ChatMessageResponse,
  ChatBegunResponse,
  ChatErrorResponse,
  ChatShownResponse,
} from './dto/chat.response.js';

const NO_TOKEN = {
  status: 401,
  description: 'The token is not valid, or an `api` or `test` conversation begins without one.',
};
const INVALID = { status: 422, description: 'The request breaks a rule.' };
const errorShape = ChatErrorResponse;

/** A route of web pages: the guard decides on access, `publicLimit` on the rate; every response has a `status`. */
const PageRoute = (publicLimit: NonNullable<FastifyContextConfig['publicLimit']>): MethodDecorator => {
  // Answers take as long as the model and the tools do.
  const config = { publicLimit, isHeldOpen: publicLimit === 'message' };
  return applyDecorators(
    OptionalToken(),
    UseGuards(ChatAccessGuard),
    UseInterceptors(ChatReplyInterceptor),
    WithRouteConfig({ ...config, ...PUBLIC_ROUTE_CORS, answersStatus: true }),
  );
};

@ApiTags('Conversations')
@Controller('conversations')
export class ChatsController {
  constructor(private readonly chats: ChatsService) {}

  @Post()
  @PageRoute('begin')
  @ReplyEndpoint({
    scope: 'messages',
    errorShape,
    summary: 'Begin a text conversation',
    description:
      'No token is needed for a `widget`. The conversation ends after `conversation_inactivity_timeout` minutes of the ' +
      `assistant without a message, or with the answer to its message ${MAX_MESSAGES}.`,
    body: ChatBegunResponse,
    errors: [NO_TOKEN, ChatBalanceTooLow, OriginNotAllowed, AssistantNotFound, INVALID],
  })
  beginConversation(
    @RequestChatAccess() access: ChatAccess | undefined,
    @Body() dto: BeginChatDto,
    @RequestKeyHeader() key: string | null,
    @ClientAddress() sender: string,
  ): Promise<ChatReply<ChatBegunResponse>> {
    return this.chats.beginChat(access, dto, { key, sender });
  }

  @Get(':uuid')
  @RecordsRead('conversation.read')
  @UuidParam()
  @PageRoute('read')
  @Endpoint({
    scope: 'read',
    errorShape,
    summary: 'The messages and variables of a text conversation',
    body: ChatShownResponse,
    errors: [NO_TOKEN, OriginNotAllowed, ChatNotFound],
  })
  getConversation(@RequestChatAccess() access: ChatAccess | undefined): Promise<ChatShownResponse> {
    return this.chats.showChat(access);
  }

  @Post(':uuid/messages')
  @UuidParam()
  @PageRoute('message')
  @ReplyEndpoint({
    scope: 'messages',
    errorShape,
    summary: 'Write to the assistant and get its answer',
    description:
      'Messages are answered one after the other. The answer can take as long as its tools do; a message that is sent ' +
      'again before its answer arrived, or with the same `Idempotency-Key`, is answered once.',
    body: ChatMessageResponse,
    errors: [NO_TOKEN, ChatBalanceTooLow, OriginNotAllowed, ChatNotFound, ChatHasEnded, INVALID],
  })
  sendMessage(
    @RequestChatAccess() access: ChatAccess | undefined,
    @Body() dto: ChatMessageDto,
    @RequestKeyHeader() key: string | null,
  ): Promise<ChatReply<ChatMessageResponse>> {
    return this.chats.sendMessage(access, dto, key);
  }

  @Options(['', ':uuid', ':uuid/messages'])
  @PreflightRoute()
  preflight(): void {}
}
