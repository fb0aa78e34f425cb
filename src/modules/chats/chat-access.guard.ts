import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { readIdOrUuid } from '#src/common/validation/fields.js';
import { UUID } from '#src/common/validation/uuid.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { allowOrigin } from '../assistants/widget-access.js';
import { allowsOrigin } from '../assistants/widget-settings.js';
import { CHAT_TYPES, type ChatType } from './chat.types.js';
import type { ChatAccess, ChatRequest } from './chat-access.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatNotFound } from './chats.errors.js';

type Found = Omit<ChatAccess, 'isVisitor'>;

/**
 * Determines the resources that a request may use: all of its own account's with a token; without one, or with that of
 * another account, a chat by its uuid, or an assistant by its uuid, from pages of its allowed origins. Runs before the
 * body is validated, so that pages can read the answer to a wrong one.
 */
@Injectable()
export class ChatAccessGuard implements CanActivate {
  constructor(
    private readonly chats: ChatsRepository,
    private readonly assistants: AssistantsService,
    private readonly settings: RuntimeSettings,
  ) {}

  /** @throws AssistantNotFound, ChatNotFound, OriginNotAllowed, Unauthenticated */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ChatRequest>();
    const { uuid } = request.params as { uuid?: string };
    const found = uuid === undefined ? await this.toAssistant(request) : await this.toChat(uuid);
    if (found === null) return true;
    const isVisitor = request.grant?.accountId !== found.assistant.accountId;
    const access: ChatAccess = { ...found, isVisitor };
    const { origin } = request.headers;
    const isOpen = origin !== undefined && allowsOrigin(access.assistant.widgetSettings, origin);
    if (origin !== undefined && (isOpen || this.settings.http.corsOrigins.includes(origin))) {
      allowOrigin(context.switchToHttp().getResponse<FastifyReply>(), origin);
    }
    // Browsers send no origin with a GET to the page's own.
    const isRead = request.method === 'GET' && origin === undefined;
    const isFree = !isVisitor || access.type === 'test' || isOpen || isRead;
    if (!isFree) throw new OriginNotAllowed();
    if (isVisitor) await request.countAsVisitor?.();
    request.chatAccess = access;
    return true;
  }

  private async toChat(uuid: string): Promise<Found> {
    const chat = UUID.test(uuid) ? await this.chats.findByUuid(uuid) : null;
    const assistant = chat && (await this.assistants.assistantView(chat.accountId, chat.assistantId));
    if (!chat || !assistant) throw new ChatNotFound();
    return { assistant, type: chat.type, chat };
  }

  /** Null: the body is wrong; validation reports it. */
  private async toAssistant({ body, grant }: ChatRequest): Promise<Found | null> {
    const accountId = grant?.accountId ?? null;
    const given = (body ?? {}) as { assistant_id?: unknown; type?: unknown };
    const type = CHAT_TYPES.find((one) => one === (given.type || 'widget'));
    if (type === undefined) return null;
    if (type !== 'widget' && accountId === null) throw new Unauthenticated();
    const key = readIdOrUuid(given.assistant_id);
    if (key === null) return null;
    const assistant = await this.assistantFor(key, type, accountId);
    if (!assistant) throw new AssistantNotFound();
    return { assistant, type, chat: null };
  }

  /** The uuid of a widget's assistant grants access to it; an id is easy to guess. */
  private async assistantFor(
    key: number | string,
    type: ChatType,
    accountId: number | null,
  ): Promise<AssistantView | null> {
    if (typeof key === 'string' && type === 'widget') return this.assistants.assistantViewByUuid(key);
    return accountId === null ? null : this.assistants.assistantView(accountId, key);
  }
}
