import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { Page, offsetOf } from '#src/common/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import type { ChatAccess } from './chat-access.js';
import { ChatAnswersService } from './chat-answers.service.js';
import { ChatTurnsService } from './chat-turns.service.js';
import { AssistantNotActive, ChatBalanceTooLow, ChatNotFound } from './chats.errors.js';
import { ChatsRepository } from './chats.repository.js';
import type { BeginChatDto, ChatMessageDto, ListChatsDto } from './dto/chat-input.dto.js';
import {
  toChatAnswer,
  toChatHistory,
  toChatResponse,
  type ChatAnswerResponse,
  type ChatBegunResponse,
  type ChatHistoryResponse,
  type ChatResponse,
} from './dto/chat.response.js';
import { Chat, type ChatTurn } from './entities/chat.entities.js';

export interface Answered<Body = ChatAnswerResponse | ChatBegunResponse> {
  body: Body;
  /** The message that it answers; null: it began a chat. */
  turn: Pick<ChatTurn, 'chatId' | 'seq'> | null;
  /** It is the stored answer to an earlier request. */
  isReplayed: boolean;
}

/** Text conversations for the pages and clients that hold them, and for their users. */
@Injectable()
export class ChatsService {
  constructor(
    @InjectRepository(Chat) private readonly rows: Repository<Chat>,
    private readonly chats: ChatsRepository,
    private readonly turns: ChatTurnsService,
    private readonly answers: ChatAnswersService,
    private readonly accounts: AccountsService,
  ) {}

  /** @param sender tells the keys of one client from those of others */
  async beginChat(
    access: ChatAccess | undefined,
    { variables = {}, ...dto }: BeginChatDto,
    { key, sender }: { key: string | null; sender: string },
  ): Promise<Answered<ChatBegunResponse>> {
    if (!access) throw new AssistantNotFound();
    const { assistant, type } = access;
    requireActive(assistant);
    const price = type === 'test' ? 0n : await this.priceOf(assistant.accountId);
    const values = { ...assistant.variables, ...variables };
    const { chat, isRepeated } = await this.chats.beginChat({
      accountId: assistant.accountId,
      assistantId: assistant.id,
      assistantName: assistant.name,
      type,
      variables: values,
      greeting: this.greeting(assistant, values),
      priceMicros: price,
      evaluationPlan: assistant.postCallEvaluation
        ? { model: assistant.llmModel, schema: assistant.postCallSchema }
        : null,
      request:
        key === null
          ? null
          : { key: hashOf([type, sender, key]), hash: hashOf([dto.assistant_id, variables]) },
    });
    const greeting = await this.chats.turn(chat.id, 0);
    const body = { conversation_id: chat.uuid, ...toChatHistory(greeting ? [greeting] : []) };
    return { body, turn: null, isReplayed: isRepeated };
  }

  async showChat(access: ChatAccess | undefined): Promise<ChatHistoryResponse> {
    return toChatHistory(await this.chats.turns(chatOf(access).id));
  }

  /** Resolves with the assistant's answer. */
  async say(
    access: ChatAccess | undefined,
    { message }: ChatMessageDto,
    key: string | null,
  ): Promise<Answered<ChatAnswerResponse>> {
    const chat = chatOf(access);
    if (access) requireActive(access.assistant);
    const { seq, isRepeated } = await this.chats.ask(chat, message, key && hashOf([key]));
    const turn = await this.turns.answered(chat, seq);
    return { body: toChatAnswer(turn), turn, isReplayed: isRepeated };
  }

  async pageOfChats(userId: number, query: ListChatsDto): Promise<Page<ChatResponse>> {
    const where: FindOptionsWhere<Chat> = { accountId: userId };
    if (query.type !== undefined) where.type = query.type;
    if (query.assistant_id !== undefined) where.assistantId = query.assistant_id;
    const [found, total] = await this.rows.findAndCount({
      where,
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: offsetOf(query),
      take: query.per_page,
    });
    return new Page(found, total, query).map(toChatResponse);
  }

  /** @throws ChatBalanceTooLow when not even one message is paid for */
  private async priceOf(accountId: number): Promise<bigint> {
    const { availableMicros, plan } = await this.accounts.view(accountId);
    if (availableMicros < plan.pricePerMessageMicros) throw new ChatBalanceTooLow();
    return plan.pricePerMessageMicros;
  }

  private greeting(assistant: AssistantView, variables: Record<string, unknown>): string | null {
    if (assistant.waitForCustomer) return null;
    return this.answers.textsOf({ variables }, assistant)(assistant.initialMessage).trim() || null;
  }
}

function requireActive({ status }: AssistantView): void {
  if (status !== 'active') throw new AssistantNotActive();
}

function chatOf(access: ChatAccess | undefined): Chat {
  if (!access?.chat) throw new ChatNotFound();
  return access.chat;
}

const hashOf = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
