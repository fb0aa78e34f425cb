import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { Page, offsetOf } from '#src/common/pagination/page.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, WidgetBudgetUsed } from '../assistants/assistants.errors.js';
import { allowedVariables, budgetLeft, visitorRules } from '../assistants/widget-settings.js';
import { VisitorCallsService } from '../calls/visitor-calls.service.js';
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
    private readonly visitors: VisitorCallsService,
  ) {}

  /** @param sender tells the keys of one client from those of others */
  async beginChat(
    access: ChatAccess | undefined,
    { variables: given = {}, ...dto }: BeginChatDto,
    { key, sender }: { key: string | null; sender: string },
  ): Promise<Answered<ChatBegunResponse>> {
    if (!access) throw new AssistantNotFound();
    const { assistant, type, isVisitor } = access;
    requireActive(assistant);
    const account = await this.accounts.view(assistant.accountId);
    const price = type === 'test' ? 0n : account.plan.pricePerMessageMicros;
    if (account.availableMicros < price) throw new ChatBalanceTooLow();
    if (isVisitor) await this.requireBudget(assistant, account, price);
    const variables = isVisitor ? allowedVariables(assistant.widgetSettings, given) : given;
    const visitorVariables = isVisitor ? Object.keys(variables) : [];
    const values = { ...assistant.variables, ...variables };
    const { chat, isRepeated } = await this.chats.beginChat({
      accountId: assistant.accountId,
      assistantId: assistant.id,
      assistantName: assistant.name,
      type,
      variables: values,
      byVisitor: isVisitor,
      visitorVariables,
      greeting: this.greeting(assistant, { variables: values, visitorVariables }),
      maxTestsPerDay: type === 'test' ? account.plan.maxTestConversationsPerDay : null,
      priceMicros: price,
      evaluationPlan: assistant.postCallEvaluation
        ? { model: assistant.llmModel, schema: assistant.postCallSchema }
        : null,
      request:
        key === null ? null : { key: hashOf([type, sender, key]), hash: hashOf([dto.assistant_id, given]) },
    });
    const greeting = await this.chats.turn(chat.id, 0);
    const body = { conversation_id: chat.uuid, ...toChatHistory(greeting ? [greeting] : []) };
    return { body, turn: null, isReplayed: isRepeated };
  }

  async showChat(access: ChatAccess | undefined): Promise<ChatHistoryResponse> {
    return toChatHistory(await this.chats.turns(withChat(access).chat.id));
  }

  /** Resolves with the assistant's answer. */
  async say(
    access: ChatAccess | undefined,
    { message }: ChatMessageDto,
    key: string | null,
  ): Promise<Answered<ChatAnswerResponse>> {
    const { chat, assistant, isVisitor } = withChat(access);
    requireActive(assistant);
    if (isVisitor && chat.priceMicros > 0n)
      await this.requireBudget(assistant, await this.accounts.view(chat.accountId), chat.priceMicros);
    const { seq, isRepeated } = await this.chats.ask(chat, message, key && hashOf([key]));
    const turn = await this.turns.answered(chat, seq);
    const showsResults =
      !isVisitor || chat.type !== 'widget' || visitorRules(assistant.widgetSettings).showsToolResults;
    return { body: toChatAnswer(turn, showsResults), turn, isReplayed: isRepeated };
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

  /**
   * Without a lock: messages at the same time can exceed the budget by as many as are in flight.
   * @throws WidgetBudgetUsed
   */
  private async requireBudget(
    { id, widgetSettings }: AssistantView,
    { balanceMicros }: AccountView,
    price: bigint,
  ): Promise<void> {
    const spent = await this.visitors.spentToday(this.rows.manager, id);
    if (budgetLeft(widgetSettings, balanceMicros, spent) < price) throw new WidgetBudgetUsed();
  }

  private greeting(
    assistant: AssistantView,
    values: Pick<Chat, 'variables' | 'visitorVariables'>,
  ): string | null {
    if (assistant.waitForCustomer) return null;
    return this.answers.textsOf(values, assistant)(assistant.initialMessage).trim() || null;
  }
}

function requireActive({ status }: AssistantView): void {
  if (status !== 'active') throw new AssistantNotActive();
}

function withChat(access: ChatAccess | undefined): ChatAccess & { chat: Chat } {
  if (!access?.chat) throw new ChatNotFound();
  return { ...access, chat: access.chat };
}

const hashOf = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
