import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { MAX_RESULT_CHARACTERS, toMessages, type ChatMessage } from '../chat-history.js';
import { CHAT_STATES, CHAT_TYPES, type ChatState, type ChatType } from '../chat.types.js';
import { REPLY_ERROR_CODES, type ReplyErrorCode } from '../chats.errors.js';
import type { Chat, ChatTurn } from '../entities/chat.entities.js';
import { toFunctionCalls, type FunctionCallView } from '../function-calls.js';

const OK = { enum: [true], type: Boolean } as const;
const FREE = { type: 'object', additionalProperties: true } as const;

/** Of the routes that web pages use. */
export class ChatErrorResponse {
  @ApiProperty({ enum: [false], type: Boolean }) status: false;
  @ApiProperty() message: string;
  @ApiProperty({ description: 'The same text as `message`.' }) error: string;
  @ApiProperty({ type: Object, required: false, description: 'Of a 422: messages by field.' })
  errors?: Record<string, string[]>;
  @ApiProperty({ type: 'integer', required: false, description: 'Of a 429: seconds.' }) retry_after?: number;
}

export class FunctionCallResponse implements FunctionCallView {
  @ApiProperty() name: string;
  @ApiProperty(FREE) arguments: Record<string, unknown>;
  @ApiProperty({
    nullable: true,
    required: false,
    description:
      'What the function answered, of any type. Absent, and `arguments` empty: for visitors of a `widget` without ' +
      `\`show_tool_results\` in its \`widget_settings\`, and after ${MAX_RESULT_CHARACTERS} characters of results in one ` +
      'conversation.',
  })
  result?: unknown;
}

export class HistoryMessageResponse implements Omit<ChatMessage, 'at'> {
  @ApiProperty({ enum: ['assistant', 'user'] }) role: 'assistant' | 'user';
  @ApiProperty() content: string;
  @ApiProperty({
    type: [FunctionCallResponse],
    required: false,
    description: 'What the assistant called for this message; absent: nothing.',
  })
  function_calls?: FunctionCallResponse[];
}

export class ChatHistoryResponse {
  @ApiProperty(OK) status: true;
  @ApiProperty({ type: [HistoryMessageResponse], description: 'Oldest first.' })
  history: HistoryMessageResponse[];
}

export class ChatShownResponse extends ChatHistoryResponse {
  @ApiProperty({ ...FREE, description: 'Without a token those of `visitor_variables` in `widget_settings`.' })
  variables: Record<string, unknown>;
  @ApiProperty({ required: false, description: 'Where there is one, with a token only.' })
  external_identifier?: string;
}

export class ChatBegunResponse extends ChatHistoryResponse {
  @ApiProperty({ format: 'uuid', description: 'Whoever knows it may read and write.' })
  conversation_id: string;
}

export class ChatMessageResponse {
  @ApiProperty(OK) status: true;
  @ApiProperty({ description: "The assistant's answer; empty where the AI is switched off." })
  message: string;
  @ApiProperty({
    type: [FunctionCallResponse],
    description:
      'Tools that the assistant called for this message; `end_call` has ended the conversation. Of a `widget` conversation visitors get ' +
      'the names only (`arguments` empty, no `result`), unless `widget_settings.show_tool_results` is set.',
  })
  function_calls: FunctionCallResponse[];
}

export class ReplyResponse {
  @ApiProperty({ enum: [true], type: Boolean }) success: true;
  @ApiProperty({ format: 'uuid' }) conversation_id: string;
  @ApiProperty() customer_identifier: string;
  @ApiProperty({ type: String, nullable: true, description: 'Null where the AI is switched off.' })
  reply: string | null;
  @ApiProperty({
    type: [FunctionCallResponse],
    description: 'Tools that the assistant called for this message.',
  })
  function_calls: FunctionCallResponse[];
  @ApiProperty({ description: 'Whether the AI is switched off: then the message was only kept.' })
  ai_disabled: boolean;
}

export class ReplyErrorResponse {
  @ApiProperty({ enum: [false], type: Boolean }) success: false;
  @ApiProperty() message: string;
  @ApiProperty({ description: 'The same text as `message`.' }) error: string;
  @ApiProperty({ enum: REPLY_ERROR_CODES }) code: ReplyErrorCode;
}

export class AiSwitchedResponse {
  @ApiProperty(OK) status: true;
  @ApiProperty({ description: 'Whether the assistant answers messages.' }) ai_enabled: boolean;
}

export class ChatResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) assistant_id: string;
  @ApiProperty() assistant_name: string;
  @ApiProperty({ enum: CHAT_TYPES }) type: ChatType;
  @ApiProperty(FREE) variables: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true, description: 'The `customer_identifier` that it began with.' })
  external_identifier: string | null;
  @ApiProperty({ type: 'integer', description: 'Of both sides.' }) message_count: number;
  @ApiProperty() total_cost: number;
  @ApiProperty({ description: 'Whether the assistant answers messages.' }) ai_enabled: boolean;
  @ApiProperty({ enum: CHAT_STATES }) status: ChatState;
  @ApiProperty({ ...FREE, nullable: true, description: 'Keyed by the names of the post-call schema.' })
  evaluation: Record<string, unknown> | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-03-02 03:00:00',
    description: 'When messages, variables, evaluation and identifier were removed (docs/use/retention.md).',
  })
  content_deleted_at: string | null;
}

/** @param showsResults whether the reader sees what tools answered */
export const toChatHistory = (turns: ChatTurn[], showsResults: boolean): ChatHistoryResponse => ({
  status: true,
  history: toMessages(turns, { showsResults }).map(({ at: _, ...message }) => message),
});

export const toChatMessage = (
  { answer, functionCalls }: ChatTurn,
  showsResults: boolean,
): ChatMessageResponse => ({
  status: true,
  message: answer ?? '',
  function_calls: toFunctionCalls(functionCalls, showsResults),
});

/** A message without an answer was only kept. */
export const toReply = (
  chat: Pick<Chat, 'uuid' | 'externalIdentifier'>,
  { answer, functionCalls }: ChatTurn,
): ReplyResponse => ({
  success: true,
  conversation_id: chat.uuid,
  customer_identifier: chat.externalIdentifier ?? '',
  reply: answer,
  function_calls: answer === null ? [] : toFunctionCalls(functionCalls, true),
  ai_disabled: answer === null,
});

/** @param assistantUuid of the chat's assistant */
export const toChatResponse = (chat: Chat, assistantUuid: string): ChatResponse => ({
  id: chat.uuid,
  assistant_id: assistantUuid,
  assistant_name: chat.assistantName,
  type: chat.type,
  variables: chat.variables,
  external_identifier: chat.externalIdentifier,
  message_count: chat.messageCount,
  total_cost: toAmount(chat.totalCostMicros),
  ai_enabled: chat.aiEnabled,
  status: chat.state,
  evaluation: chat.evaluation,
  created_at: toDateTime(chat.createdAt),
  updated_at: toDateTime(chat.updatedAt),
  content_deleted_at: chat.contentDeletedAt && toDateTime(chat.contentDeletedAt),
});
