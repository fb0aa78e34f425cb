import { Injectable } from '@nestjs/common';
import { Invalid } from '#src/common/errors/api-error.js';
import { currentKeyId } from '#src/common/work-context.js';
import { SpendLimitExceeded } from '../accounts/accounts.errors.js';
import { SpendLimitsService } from '../accounts/spend-limits.service.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import type { AssistantView } from '../assistants/assistant-view.js';
import { AssistantNotFound } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { EarlierTurn, StoredMessage } from './chat-messages.js';
import { storedForm } from './chat-redaction.js';
import { ChatTurnsService } from './chat-turns.service.js';
import { ChatBalanceTooLow, ChatHasEnded, ReplyRefused } from './chats.errors.js';
import { ChatsRepository } from './chats.repository.js';
import { ChatsService, hashRequestKey, requireActive, type ChatReply } from './chats.service.js';
import type { GenerateReplyDto } from './dto/chat-input.dto.js';
import { toReply, type ReplyResponse } from './dto/chat.response.js';
import type { Chat } from './entities/chat.entities.js';

/** Of a conversation, which many requests add to. */
const MAX_VARIABLES_KILOBYTES = 64;
/** A conversation may end during a request. */
const MAX_TRIES = 3;

type MessageInChat = StoredMessage & { chat: Chat };

/** Answers of assistants to customers of their users, who keep the conversations apart by names of their own. */
@Injectable()
export class ChatRepliesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly chats: ChatsService,
    private readonly rows: ChatsRepository,
    private readonly turns: ChatTurnsService,
    private readonly spendLimits: SpendLimitsService,
  ) {}

  /**
   * @param requestId names the logical request of an `Idempotency-Key`
   * @throws ReplyRefused, AssistantNotActive, ChatHasEnded, Invalid, TooManyRequests
   */
  async generateReply(
    userId: number,
    dto: GenerateReplyDto,
    requestId: string | null,
  ): Promise<ChatReply<ReplyResponse>> {
    const assistant = await this.assistants.assistantView(userId, dto.assistant_id);
    if (!assistant) throw new ReplyRefused(404, 'ASSISTANT_NOT_FOUND', new AssistantNotFound());
    const key = requestId && hashRequestKey(['reply', requestId]);
    const { chat, seq, isRepeated } = await this.spendLimits
      .noteRefusals(() => this.storeMessage(assistant, dto, key))
      .catch((error: unknown) => {
        throw toReplyError(error);
      });
    const said = await this.turns.waitForResponse(chat, seq, dto.message);
    // The response to a request with a key is stored.
    const turn = requestId === null ? said : ((await this.rows.findTurn(chat.id, seq)) ?? said);
    return { body: toReply(chat, turn), turn, isReplayed: isRepeated };
  }

  /** Puts the message into the customer's conversation, unless an earlier try of the same request did. */
  private async storeMessage(
    assistant: AssistantView,
    dto: GenerateReplyDto,
    key: string | null,
  ): Promise<MessageInChat> {
    const customer = {
      accountId: assistant.accountId,
      assistantId: assistant.id,
      externalIdentifier: dto.customer_identifier,
    };
    const known = key && (await this.rows.findMessageOfRequest(customer, key));
    if (known) return { ...known, isRepeated: true };
    requireActive(assistant);
    const form = storedForm(assistant);
    const toStored = (before: readonly EarlierTurn[]): string => form.message(dto.message, before);
    const client = { apiKeyId: currentKeyId(), visitorAssistantId: null };
    for (let tries = 1; ; tries += 1) {
      try {
        const chat = await this.chatWith(assistant, dto);
        return { chat, ...(await this.rows.storeMessage(chat, toStored, key, client)) };
      } catch (error) {
        if (!(error instanceof ChatHasEnded) || tries === MAX_TRIES) throw error;
      }
    }
  }

  private async chatWith(
    assistant: AssistantView,
    { customer_identifier, variables = {} }: GenerateReplyDto,
  ): Promise<Chat> {
    const active = await this.rows.findActive(assistant.id, customer_identifier);
    if (!active) {
      const { chat } = await this.chats.openChat(assistant, {
        type: 'api',
        variables,
        byVisitor: false,
        externalIdentifier: customer_identifier,
        request: null,
      });
      return chat;
    }
    const isKept =
      Object.keys(variables).length === 0 ||
      (await this.rows.mergeVariables(active.id, variables, MAX_VARIABLES_KILOBYTES));
    if (isKept) return active;
    const rule = `must not be larger than ${MAX_VARIABLES_KILOBYTES} kilobytes with those of the conversation`;
    throw new Invalid({ variables: [fieldMessage('variables', rule)] });
  }
}

function toReplyError(error: unknown): unknown {
  if (error instanceof ChatBalanceTooLow) return new ReplyRefused(402, 'INSUFFICIENT_BALANCE', error);
  return error instanceof SpendLimitExceeded ? new ReplyRefused(429, 'SPEND_LIMIT_REACHED', error) : error;
}
