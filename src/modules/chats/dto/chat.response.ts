import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { END_CALL } from '../../conversations/engine/built-in-tools.js';
import { toHistory, type HistoryMessage } from '../chat-memory.js';
import { CHAT_STATES, CHAT_TYPES, type ChatState, type ChatType, type FunctionCall } from '../chat.types.js';
import type { Chat, ChatTurn } from '../entities/chat.entities.js';

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

export class HistoryMessageResponse implements HistoryMessage {
  @ApiProperty({ enum: ['assistant', 'user'] }) role: 'assistant' | 'user';
  @ApiProperty() content: string;
}

export class ChatHistoryResponse {
  @ApiProperty(OK) status: true;
  @ApiProperty({ type: [HistoryMessageResponse], description: 'Oldest first.' })
  history: HistoryMessageResponse[];
}

export class ChatBegunResponse extends ChatHistoryResponse {
  @ApiProperty({ format: 'uuid', description: 'Whoever knows it may read and write.' })
  conversation_id: string;
}

export class FunctionCallResponse {
  @ApiProperty() name: string;
  @ApiProperty(FREE) arguments: Record<string, unknown>;
  @ApiProperty({ nullable: true, description: 'What the function answered, of any type.' })
  result: unknown;
}

export class ChatAnswerResponse {
  @ApiProperty(OK) status: true;
  @ApiProperty({ description: "The assistant's answer." }) message: string;
  @ApiProperty({
    type: [FunctionCallResponse],
    description:
      'What the assistant called for it. `end_call`: it has ended the conversation. Of a `widget` conversation visitors get ' +
      'the names only (`arguments` empty, `result` null), unless `widget_settings.show_tool_results` is set.',
  })
  function_calls: FunctionCallResponse[];
}

export class ChatResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: 'integer' }) assistant_id: number;
  @ApiProperty() assistant_name: string;
  @ApiProperty({ enum: CHAT_TYPES }) type: ChatType;
  @ApiProperty(FREE) variables: Record<string, unknown>;
  @ApiProperty({ type: 'integer', description: 'Of both sides.' }) message_count: number;
  @ApiProperty() total_cost: number;
  @ApiProperty({ description: 'Whether the assistant answers.' }) ai_enabled: boolean;
  @ApiProperty({ enum: CHAT_STATES }) status: ChatState;
  @ApiProperty({ ...FREE, nullable: true, description: 'Keyed by the names of the post-call schema.' })
  evaluation: Record<string, unknown> | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export const toChatHistory = (turns: ChatTurn[]): ChatHistoryResponse => ({
  status: true,
  history: toHistory(turns),
});

/** @param showsResults whether with the arguments and results of tools, which may say what no visitor is to know */
export const toChatAnswer = (
  { answer, functionCalls }: ChatTurn,
  showsResults: boolean,
): ChatAnswerResponse => ({
  status: true,
  message: answer ?? '',
  function_calls: functionCalls.map((call) =>
    showsResults || call.name === END_CALL
      ? toFunctionCall(call)
      : { name: call.name, arguments: {}, result: null },
  ),
});

const toFunctionCall = ({ name, arguments: args, result }: FunctionCall): FunctionCallResponse => ({
  name,
  arguments: args,
  result: result === null ? null : readResult(result),
});

/** Most tools answer with JSON. */
function readResult(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const toChatResponse = (chat: Chat): ChatResponse => ({
  id: chat.uuid,
  assistant_id: chat.assistantId,
  assistant_name: chat.assistantName,
  type: chat.type,
  variables: chat.variables,
  message_count: chat.messageCount,
  total_cost: toAmount(chat.totalCostMicros),
  ai_enabled: true,
  status: chat.state,
  evaluation: chat.evaluation,
  created_at: toDateTime(chat.createdAt),
  updated_at: toDateTime(chat.updatedAt),
});
