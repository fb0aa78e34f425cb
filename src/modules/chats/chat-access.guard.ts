import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { RuntimeSettings } from '#src/config/runtime-settings.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, OriginNotAllowed } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { allowOrigin, UUID, UUID_LENGTH } from '../assistants/widget-access.js';
import { isOpenTo } from '../assistants/widget-settings.js';
import type { ChatAccess, ChatRequest } from './chat-access.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatNotFound } from './chats.errors.js';

type Found = Omit<ChatAccess, 'isVisitor'>;

/**
 * Finds out what a request without a token may use: a chat by its uuid, or an assistant, from pages of its allowed
 * origins. A `test` begins with a token of the assistant's account. Runs before the body is validated, so that pages
 * can read the answer to a wrong one.
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
    const isOpen = origin !== undefined && isOpenTo(access.assistant.widgetSettings, origin);
    if (origin !== undefined && (isOpen || this.settings.http.corsOrigins.includes(origin))) {
      allowOrigin(context.switchToHttp().getResponse<FastifyReply>(), origin);
    }
    // Browsers send no origin with a GET to the page's own.
    const isRead = request.method === 'GET' && origin === undefined;
    if (access.type === 'widget' && !isOpen && !isRead) throw new OriginNotAllowed();
    if (isVisitor) await request.countAsVisitor?.();
    request.chatAccess = access;
    return true;
  }

  private async toChat(uuid: string): Promise<Found> {
    const chat = UUID.test(uuid) ? await this.chats.byUuid(uuid) : null;
    const assistant = chat && (await this.assistants.assistantView(chat.accountId, chat.assistantId));
    if (!chat || !assistant) throw new ChatNotFound();
    return { assistant, type: chat.type, chat };
  }

  private async toAssistant({ body, grant }: ChatRequest): Promise<Found | null> {
    const accountId = grant?.accountId ?? null;
    const { assistant_id: uuid, type } = (body ?? {}) as { assistant_id?: unknown; type?: unknown };
    if (type !== 'widget' && type !== 'test') return null;
    if (type === 'test' && accountId === null) throw new Unauthenticated();
    if (typeof uuid !== 'string' || uuid.trim() === '' || uuid.length > UUID_LENGTH) return null;
    const assistant = UUID.test(uuid) ? await this.assistants.assistantViewByUuid(uuid) : null;
    if (!assistant || !isFor(assistant, type, accountId)) throw new AssistantNotFound();
    return { assistant, type, chat: null };
  }
}

const isFor = ({ accountId }: AssistantView, type: 'widget' | 'test', userId: number | null): boolean =>
  type === 'widget' || accountId === userId;
