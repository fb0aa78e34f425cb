import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { currentKeyId } from '#src/common/work-context.js';
import { UUID } from '#src/common/validation/uuid.js';
import { AccountsService, type AccountView } from '../accounts/accounts.service.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { evaluationPlanOf, type AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound, WidgetBudgetUsed } from '../assistants/assistants.errors.js';
import { allowedVariables, remainingVisitorBudget, visitorRules } from '../assistants/widget-settings.js';
import { VisitorCallsService } from '../calls/visitor-calls.service.js';
import type { ChatAccess } from './chat-access.js';
import { storedForm } from './chat-redaction.js';
import { ChatResponsesService } from './chat-responses.service.js';
import { ChatTurnsService } from './chat-turns.service.js';
import {
  AssistantNotActive,
  ChatBalanceTooLow,
  ChatHasEnded,
  ChatResponsePending,
  ChatNotFound,
  ChatToSwitchNotFound,
} from './chats.errors.js';
import { ChatsRepository, type NewChat } from './chats.repository.js';
import type { BeginChatDto, ChatMessageDto } from './dto/chat-input.dto.js';
import {
  toChatMessage,
  toChatHistory,
  type AiSwitchedResponse,
  type ChatMessageResponse,
  type ChatBegunResponse,
  type ChatShownResponse,
} from './dto/chat.response.js';
import type { Chat, ChatTurn } from './entities/chat.entities.js';

export interface ChatReply<Body = ChatMessageResponse | ChatBegunResponse> {
  body: Body;
  /** The message that it answers; null: it began a chat. */
  turn: Pick<ChatTurn, 'chatId' | 'seq'> | null;
  /** It is the stored answer to an earlier request. */
  isReplayed: boolean;
}

/** Text conversations for the pages and clients that hold them. */
@Injectable()
export class ChatsService {
  constructor(
    private readonly chats: ChatsRepository,
    private readonly turns: ChatTurnsService,
    private readonly answers: ChatResponsesService,
    private readonly accounts: AccountsService,
    private readonly spendLimits: SpendLimitsService,
    private readonly visitors: VisitorCallsService,
    private readonly db: DataSource,
  ) {}

  /** @param sender identifies the client, so that keys of different clients differ */
  async beginChat(
    access: ChatAccess | undefined,
    { variables: given = {}, ...dto }: BeginChatDto,
    { key, sender }: { key: string | null; sender: string },
  ): Promise<ChatReply<ChatBegunResponse>> {
    if (!access) throw new AssistantNotFound();
    const { assistant, type, isVisitor } = access;
    requireActive(assistant);
    const { chat, isRepeated } = await this.openChat(assistant, {
      type,
      variables: isVisitor ? allowedVariables(assistant.widgetSettings, given) : given,
      byVisitor: isVisitor,
      externalIdentifier: null,
      request:
        key === null
          ? null
          : { key: hashRequestKey([type, sender, key]), hash: hashRequestKey([dto.assistant_id, given]) },
    });
    const greeting = await this.chats.findTurn(chat.id, 0);
    const history = toChatHistory(greeting ? [greeting] : [], showsResults(access));
    return { body: { conversation_id: chat.uuid, ...history }, turn: null, isReplayed: isRepeated };
  }

  /**
   * One with a customer begins without a greeting: the customer has written.
   * @throws ChatBalanceTooLow, SpendLimitExceeded, WidgetBudgetUsed, TestLimitReached, IdempotencyKeyReused
   */
  async openChat(
    assistant: AssistantView,
    chat: Pick<NewChat, 'type' | 'variables' | 'byVisitor' | 'externalIdentifier' | 'request'>,
  ): Promise<{ chat: Chat; isRepeated: boolean }> {
    const account = await this.accounts.accountView(assistant.accountId);
    const priceMicros = chat.type === 'test' ? 0n : account.plan.pricePerMessageMicros;
    if (priceMicros > 0n && account.availableMicros < priceMicros) throw new ChatBalanceTooLow();
    const spender = { accountId: account.id, keyId: chat.byVisitor ? null : currentKeyId() };
    await this.spendLimits.noteRefusals(() =>
      this.spendLimits.requireAllowance(this.db.manager, spender, priceMicros),
    );
    if (chat.byVisitor) await this.requireBudget(assistant, account, priceMicros);
    const variables = { ...assistant.variables, ...chat.variables };
    const visitorVariables = chat.byVisitor ? Object.keys(chat.variables) : [];
    const isGreeted = chat.externalIdentifier === null;
    return this.chats.beginChat({
      ...chat,
      accountId: assistant.accountId,
      assistantId: assistant.id,
      assistantName: assistant.name,
      variables,
      visitorVariables,
      greeting: isGreeted ? this.greeting(assistant, { variables, visitorVariables }) : null,
      maxTestsPerDay: chat.type === 'test' ? account.plan.maxTestConversationsPerDay : null,
      priceMicros,
      silenceMinutes: assistant.conversationInactivityTimeout,
      evaluationPlan: evaluationPlanOf(assistant),
    });
  }

  async showChat(access: ChatAccess | undefined): Promise<ChatShownResponse> {
    const found = chatOf(access);
    const { chat, isVisitor, assistant } = found;
    const { variables, externalIdentifier } = chat;
    return {
      ...toChatHistory(await this.chats.listTurns(chat.id), showsResults(found)),
      variables: isVisitor ? allowedVariables(assistant.widgetSettings, variables) : variables,
      ...(!isVisitor && externalIdentifier !== null && { external_identifier: externalIdentifier }),
    };
  }

  /** Resolves with the assistant's answer. */
  async sendMessage(
    access: ChatAccess | undefined,
    { message }: ChatMessageDto,
    key: string | null,
  ): Promise<ChatReply<ChatMessageResponse>> {
    const found = chatOf(access);
    const { chat, assistant, isVisitor } = found;
    requireActive(assistant);
    if (isVisitor && chat.priceMicros > 0n)
      await this.requireBudget(assistant, await this.accounts.accountView(chat.accountId), chat.priceMicros);
    const client = isVisitor
      ? { apiKeyId: null, visitorAssistantId: assistant.id }
      : { apiKeyId: currentKeyId(), visitorAssistantId: null };
    const form = storedForm(assistant);
    const { seq, isRepeated } = await this.spendLimits.noteRefusals(() =>
      this.chats.storeMessage(
        chat,
        (before) => form.message(message, before),
        key && hashRequestKey([key]),
        client,
      ),
    );
    const turn = await this.turns.waitForResponse(chat, seq, message);
    return { body: toChatMessage(turn, showsResults(found)), turn, isReplayed: isRepeated };
  }

  /** @throws ChatToSwitchNotFound */
  async switchAi(userId: number, uuid: string, ai_enabled: boolean): Promise<AiSwitchedResponse> {
    if (!UUID.test(uuid) || !(await this.chats.switchAi(userId, uuid, ai_enabled))) {
      throw new ChatToSwitchNotFound();
    }
    return { status: true, ai_enabled };
  }

  /** @throws ChatNotFound, ChatHasEnded, ChatResponsePending */
  async endChat(userId: number, uuid: string): Promise<void> {
    const chat = UUID.test(uuid) ? await this.chats.findByUuid(uuid) : null;
    if (chat?.accountId !== userId) throw new ChatNotFound();
    if (await this.chats.endByUser(chat)) return;
    throw (await this.chats.findById(chat.id))?.state === 'active'
      ? new ChatResponsePending()
      : new ChatHasEnded();
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
    const spent = await this.visitors.sumSpentToday(this.db.manager, id);
    if (remainingVisitorBudget(widgetSettings, balanceMicros, spent) < price) throw new WidgetBudgetUsed();
  }

  private greeting(
    assistant: AssistantView,
    values: Pick<Chat, 'variables' | 'visitorVariables'>,
  ): string | null {
    if (assistant.waitForCustomer) return null;
    return this.answers.renderTexts(values, assistant)(assistant.initialMessage).trim() || null;
  }
}

/** @throws AssistantNotActive */
export function requireActive({ status }: AssistantView): void {
  if (status !== 'active') throw new AssistantNotActive();
}

function chatOf(access: ChatAccess | undefined): ChatAccess & { chat: Chat } {
  if (!access?.chat) throw new ChatNotFound();
  return { ...access, chat: access.chat };
}

/** Whether with the arguments and results of tools, which may be confidential to visitors. */
const showsResults = ({ isVisitor, type, assistant }: ChatAccess): boolean =>
  !isVisitor || type !== 'widget' || visitorRules(assistant.widgetSettings).showsToolResults;

/** A key that is stored: what names a request may be long, and is the client's. */
export const hashRequestKey = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
