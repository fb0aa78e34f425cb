import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { UUID } from '../assistants/widget-access.js';
import type { ChatAccess } from './chat-access.js';
import { ChatAnswersService } from './chat-answers.service.js';
import { ChatTurnsService } from './chat-turns.service.js';
import { AssistantNotActive, ChatBalanceTooLow, ChatNotFound, ChatToSwitchNotFound } from './chats.errors.js';
import { ChatsRepository, type NewChat } from './chats.repository.js';
import type { BeginChatDto, ChatMessageDto } from './dto/chat-input.dto.js';
import {
  toChatAnswer,
  toChatHistory,
  type AiSwitchedResponse,
  type ChatAnswerResponse,
  type ChatBegunResponse,
  type ChatShownResponse,
} from './dto/chat.response.js';
import type { Chat, ChatTurn } from './entities/chat.entities.js';

export interface Answered<Body = ChatAnswerResponse | ChatBegunResponse> {
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
    const { chat, isRepeated } = await this.openChat(assistant, {
      type,
      variables,
      externalIdentifier: null,
      request:
        key === null
          ? null
          : { key: requestKeyOf([type, sender, key]), hash: requestKeyOf([dto.assistant_id, variables]) },
    });
    const greeting = await this.chats.turn(chat.id, 0);
    const history = toChatHistory(greeting ? [greeting] : [], showsResults(access));
    return { body: { conversation_id: chat.uuid, ...history }, turn: null, isReplayed: isRepeated };
  }

  /**
   * One with a customer begins without a greeting: the customer has written.
   * @throws ChatBalanceTooLow, IdempotencyKeyReused
   */
  async openChat(
    assistant: AssistantView,
    { variables, ...chat }: Pick<NewChat, 'type' | 'variables' | 'externalIdentifier' | 'request'>,
  ): Promise<{ chat: Chat; isRepeated: boolean }> {
    const values = { ...assistant.variables, ...variables };
    return this.chats.beginChat({
      ...chat,
      accountId: assistant.accountId,
      assistantId: assistant.id,
      assistantName: assistant.name,
      variables: values,
      greeting: chat.externalIdentifier === null ? this.greeting(assistant, values) : null,
      priceMicros: chat.type === 'test' ? 0n : await this.priceOf(assistant.accountId),
      silenceMinutes: assistant.conversationInactivityTimeout,
      evaluationPlan: assistant.postCallEvaluation
        ? { model: assistant.llmModel, schema: assistant.postCallSchema }
        : null,
    });
  }

  async showChat(access: ChatAccess | undefined): Promise<ChatShownResponse> {
    const found = chatOf(access);
    const { chat, isVisitor, assistant } = found;
    const { variables, externalIdentifier } = chat;
    return {
      ...toChatHistory(await this.chats.turns(chat.id), showsResults(found)),
      variables: isVisitor ? onlyFor(assistant, variables) : variables,
      ...(!isVisitor && externalIdentifier !== null && { external_identifier: externalIdentifier }),
    };
  }

  /** Resolves with the assistant's answer. */
  async say(
    access: ChatAccess | undefined,
    { message }: ChatMessageDto,
    key: string | null,
  ): Promise<Answered<ChatAnswerResponse>> {
    const found = chatOf(access);
    const { chat, assistant } = found;
    requireActive(assistant);
    const { seq, isRepeated } = await this.chats.ask(chat, message, key && requestKeyOf([key]));
    const turn = await this.turns.answered(chat, seq);
    return { body: toChatAnswer(turn, showsResults(found)), turn, isReplayed: isRepeated };
  }

  /** @throws ChatToSwitchNotFound */
  async switchAi(userId: number, uuid: string, ai_enabled: boolean): Promise<AiSwitchedResponse> {
    if (!UUID.test(uuid) || !(await this.chats.switchAi(userId, uuid, ai_enabled))) {
      throw new ChatToSwitchNotFound();
    }
    return { status: true, ai_enabled };
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

/** @throws AssistantNotActive */
export function requireActive({ status }: AssistantView): void {
  if (status !== 'active') throw new AssistantNotActive();
}

function chatOf(access: ChatAccess | undefined): ChatAccess & { chat: Chat } {
  if (!access?.chat) throw new ChatNotFound();
  return { ...access, chat: access.chat };
}

/** Whether with the arguments and results of tools, which may say what no visitor is to know. */
const showsResults = ({ isVisitor, type, assistant }: ChatAccess): boolean =>
  !isVisitor || type !== 'widget' || assistant.widgetSettings['show_tool_results'] === true;

/** Visitors see the variables that they may set: the others are the owner's. */
function onlyFor(
  { widgetSettings }: AssistantView,
  variables: Record<string, unknown>,
): Record<string, unknown> {
  const { visitor_variables: names } = widgetSettings;
  const entries = Object.entries(variables).filter(([name]) => Array.isArray(names) && names.includes(name));
  return Object.fromEntries(entries);
}

/** A key that is stored: what names a request may be long, and is the client's. */
export const requestKeyOf = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
