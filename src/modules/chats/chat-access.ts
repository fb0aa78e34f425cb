import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AssistantView } from '../assistants/assistant-view.js';
import type { ChatType } from './chat.types.js';
import type { Chat } from './entities/chat.entities.js';

/** The access of a request, set by its guard. */
export interface ChatAccess {
  assistant: AssistantView;
  type: ChatType;
  /** It has no token of the assistant's account. */
  isVisitor: boolean;
  /** Null for a request that begins one. */
  chat: Chat | null;
}

/** Null while no guard has run, or where the body names no assistant: then its validation refuses it. */
export type ChatRequest = FastifyRequest & { chatAccess?: ChatAccess };

export const RequestChatAccess = createParamDecorator(
  (_: unknown, context: ExecutionContext): ChatAccess | undefined =>
    context.switchToHttp().getRequest<ChatRequest>().chatAccess,
);

/** The client's address of a request. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<FastifyRequest>().ip,
);
