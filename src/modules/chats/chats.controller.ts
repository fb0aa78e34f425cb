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
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { OptionalToken } from '#src/auth/auth.decorators.js';
import { Endpoint, type EndpointOptions } from '#src/common/http/endpoint.decorator.js';
import { addRouteConfig } from '#src/common/http/route-config.js';
import { RequestKeyHeader } from '#src/common/idempotency/keyed-requests.js';
import type { HeldOpenRoute } from '#src/common/in-flight/in-flight-limiter.service.js';
import type { PubliclyLimitedRoute } from '#src/common/rate-limit/limit-public-requests.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { OWN_CORS, Preflight } from '../assistants/widget-access.js';
import { Access, ClientAddress, type ChatAccess } from './chat-access.js';
import { ChatAccessGuard } from './chat-access.guard.js';
import { MAX_MESSAGES } from './chat.types.js';
import { ChatReplyInterceptor } from './chat-reply.interceptor.js';
import { ChatBalanceTooLow, ChatHasEnded, ChatNotFound } from './chats.errors.js';
import { ChatsService } from './chats.service.js';
import { BeginChatDto, ChatMessageDto } from './dto/chat-input.dto.js';
import {
  ChatAnswerResponse,
  ChatBegunResponse,
  ChatErrorResponse,
  ChatShownResponse,
} from './dto/chat.response.js';

const NO_TOKEN = 'The token is not valid, or an `api` or `test` conversation begins without one.';

/** A route of web pages: who may use it says the guard, how often `publicLimit`; every answer has a `status`. */
const PageEndpoint = (
  publicLimit: PubliclyLimitedRoute['publicLimit'],
  options: EndpointOptions,
): MethodDecorator => {
  // Answers take as long as the model and the tools do.
  const config: PubliclyLimitedRoute & HeldOpenRoute = { publicLimit, isHeldOpen: publicLimit === 'message' };
  return applyDecorators(
    Endpoint({
      ...options,
      scope: publicLimit === 'read' ? 'read' : 'messages',
      errorShape: ChatErrorResponse,
      errors: [{ status: 401, description: NO_TOKEN }, ...(options.errors ?? [])],
    }),
    OptionalToken(),
    UseGuards(ChatAccessGuard),
    UseInterceptors(ChatReplyInterceptor),
    (_target: object, _key: string | symbol, { value }: PropertyDescriptor) =>
      addRouteConfig(value as object, { ...config, ...OWN_CORS, answersStatus: true }),
  );
};

const UuidParam = (): MethodDecorator =>
  ApiParam({ name: 'uuid', schema: { type: 'string', format: 'uuid' } });

@ApiTags('Conversations')
@Controller('conversations')
export class ChatsController {
  constructor(private readonly chats: ChatsService) {}

  @Post()
  @PageEndpoint('begin', {
    summary: 'Begin a text conversation',
    description:
      'No token is needed for a `widget`. The conversation ends after `conversation_inactivity_timeout` minutes of the ' +
      `assistant without a message, or with the answer to its message ${MAX_MESSAGES}.`,
    body: ChatBegunResponse,
    errors: [ChatBalanceTooLow, OriginNotAllowed, AssistantNotFound],
  })
  beginConversation(
    @Access() access: ChatAccess | undefined,
    @Body() dto: BeginChatDto,
    @RequestKeyHeader() key: string | null,
    @ClientAddress() sender: string,
  ) {
    return this.chats.beginChat(access, dto, { key, sender });
  }

  @Get(':uuid')
  @UuidParam()
  @PageEndpoint('read', {
    summary: 'The messages and variables of a text conversation',
    body: ChatShownResponse,
    errors: [OriginNotAllowed, ChatNotFound],
  })
  getConversation(@Access() access: ChatAccess | undefined) {
    return this.chats.showChat(access);
  }

  @Post(':uuid/messages')
  @UuidParam()
  @PageEndpoint('message', {
    summary: 'Write to the assistant and get its answer',
    description:
      'Messages are answered one after the other. The answer can take as long as its tools do; a message that is sent ' +
      'again before its answer arrived, or with the same `Idempotency-Key`, is answered once.',
    body: ChatAnswerResponse,
    errors: [ChatBalanceTooLow, OriginNotAllowed, ChatNotFound, ChatHasEnded],
  })
  sendMessage(
    @Access() access: ChatAccess | undefined,
    @Body() dto: ChatMessageDto,
    @RequestKeyHeader() key: string | null,
  ) {
    return this.chats.say(access, dto, key);
  }

  @Options(['', ':uuid', ':uuid/messages'])
  @Preflight()
  preflight(): void {}
}
