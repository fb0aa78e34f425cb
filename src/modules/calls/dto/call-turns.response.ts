import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { CALL_STATUSES, FINAL_STATUSES, type CallStatus } from '../states/call-states.js';
import { TURN_KINDS, type TurnKind } from '../call.view.js';
import type { Call } from '../entities/call.entity.js';
import type { CallModelUsage, CallToolRun, CallTurn } from '../entities/call-records.entities.js';

const moment = (description: string) =>
  ApiProperty({
    type: 'integer',
    nullable: true,
    description: `${description} Milliseconds since the epoch.`,
  });

const span = (description: string) => ApiProperty({ type: 'integer', nullable: true, description });

class TurnTimingsResponse {
  @moment('The customer stopped speaking; null where the line does not report it.') silent: number | null;
  @moment('The utterance of the customer was complete.') prompt: number | null;
  @moment("The model's first token arrived.") model_first: number | null;
  @moment('The first text was sent to the carrier.') text_first: number | null;
  @moment('The last text was sent.') text_last: number | null;
  @moment('It began to be heard.') playing: number | null;
  @moment('The last of it was heard.') played: number | null;
  @moment('The customer interrupted it.') interrupted: number | null;
}

class TurnLatenciesResponse {
  @span('Milliseconds from `prompt` to `model_first`.') model_first: number | null;
  @span('Milliseconds from `prompt` to `text_first`.') text_first: number | null;
  @span('Milliseconds from `prompt` to `playing`.') playing: number | null;
}

class ToolUseResponse {
  @ApiProperty() name: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) arguments: Record<string, unknown>;
  @ApiProperty({ enum: ['ok', 'failed'] }) status: 'ok' | 'failed';
  @ApiProperty({ type: 'integer', nullable: true }) status_code: number | null;
  @ApiProperty({ type: 'integer' }) duration_ms: number;
  @ApiProperty({ type: String, nullable: true }) error: string | null;
  @ApiProperty({ description: 'The result that the model received; empty where it received none.' })
  result: string;
}

class ModelUsageResponse {
  @ApiProperty() model: string;
  @ApiProperty({ type: 'integer' }) prompt_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Of `prompt_tokens`.' }) cached_tokens: number;
  @ApiProperty({ type: 'integer' }) completion_tokens: number;
}

class TurnResponse {
  @ApiProperty({ type: 'integer' }) seq: number;
  @ApiProperty({ enum: ['assistant', 'customer', 'tool'] }) role: 'assistant' | 'customer' | 'tool';
  @ApiProperty({
    enum: TURN_KINDS,
    required: false,
    description:
      'Absent for the role `tool`. A `filler` covers a pause ("One moment, please."): it was heard, and is unknown to the model and the evaluation.',
  })
  kind?: TurnKind;
  @ApiProperty({ type: String, nullable: true, description: 'The heard words; null for a tool.' })
  text: string | null;
  @ApiProperty({ description: 'The customer interrupted it: `text` ends with the last heard word.' })
  interrupted: boolean;
  @ApiProperty({ required: false, description: 'Present for the role `tool`.' }) tool?: ToolUseResponse;
  @ApiProperty({ required: false, description: 'Present for the other roles.' })
  timings?: TurnTimingsResponse;
  @ApiProperty({ required: false, description: 'Present for a response to the customer.' })
  latencies?: TurnLatenciesResponse;
  @ApiProperty({
    type: [ModelUsageResponse],
    description:
      'Responses of the language model that ended during or after this turn and before the next one.',
  })
  model_answers: ModelUsageResponse[];
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export class CallTurnsResponse {
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ enum: CALL_STATUSES }) status: CallStatus;
  @ApiProperty({ type: Number, nullable: true, description: 'Null until the record is final.' })
  carrier_cost: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'Includes all fees; null until it is charged.' })
  total_cost: number | null;
  @ApiProperty({ type: [TurnResponse] }) turns: TurnResponse[];
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: '`after_seq` for the next ones; null when there are none yet.',
  })
  next_after_seq: number | null;
}

export function toTurnEntry({
  seq,
  role,
  kind,
  text,
  interrupted,
  timings,
  createdAt,
}: CallTurn): TurnResponse {
  const times = toTimings(timings);
  return {
    seq,
    role,
    kind,
    text,
    interrupted,
    timings: times,
    ...(role === 'assistant' && times.prompt !== null && { latencies: toLatencies(times, times.prompt) }),
    model_answers: [],
    created_at: toDateTime(createdAt),
  };
}

export const toToolEntry = (run: CallToolRun): TurnResponse => ({
  seq: run.seq,
  role: 'tool',
  text: null,
  interrupted: false,
  tool: {
    name: run.toolName,
    arguments: run.arguments,
    status: run.ok ? 'ok' : 'failed',
    status_code: run.statusCode,
    duration_ms: run.durationMs,
    error: run.error,
    result: run.answer,
  },
  model_answers: [],
  created_at: toDateTime(run.createdAt),
});

export const toModelUsageEntry = (usage: CallModelUsage): ModelUsageResponse => ({
  model: usage.model,
  prompt_tokens: usage.promptTokens,
  cached_tokens: usage.cachedTokens,
  completion_tokens: usage.completionTokens,
});

export function toTurnsResponse(
  call: Pick<Call, 'id' | 'status' | 'carrierCostMicros' | 'totalCostMicros'>,
  turns: TurnResponse[],
  next: number | null,
): CallTurnsResponse {
  const isFinal = FINAL_STATUSES.includes(call.status);
  return {
    call_id: call.id,
    status: call.status,
    carrier_cost: isFinal ? toAmount(call.carrierCostMicros) : null,
    total_cost: isFinal ? toAmount(call.totalCostMicros) : null,
    turns,
    next_after_seq: next,
  };
}

function toTimings(timings: Record<string, number>): TurnTimingsResponse {
  const at = (name: string): number | null => (name in timings ? Math.round(timings[name] ?? 0) : null);
  return {
    silent: at('silent'),
    prompt: at('prompt'),
    model_first: at('modelFirst'),
    text_first: at('textFirst'),
    text_last: at('textLast'),
    playing: at('playing'),
    played: at('played'),
    interrupted: at('interrupted'),
  };
}

function toLatencies(times: TurnTimingsResponse, prompt: number): TurnLatenciesResponse {
  const since = (time: number | null): number | null => (time === null ? null : time - prompt);
  return {
    model_first: since(times.model_first),
    text_first: since(times.text_first),
    playing: since(times.playing),
  };
}
