import { ApiProperty } from '@nestjs/swagger';
import { TURN_KINDS } from '../call.view.js';
import { TRANSFER_STATUSES } from '../states/call-transfers.js';
import {
  CALL_STATUSES,
  CALL_TYPES,
  ENDED_BY,
  type CallStatus,
  type CallType,
} from '../states/call-states.js';

class CallEventData {
  @ApiProperty({ type: 'integer' }) call_id: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

class CallEndData extends CallEventData {
  @ApiProperty({ enum: CALL_STATUSES }) status: CallStatus;
  @ApiProperty({ enum: ENDED_BY, nullable: true, type: String }) ended_by: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'goodbye' }) ended_reason: string | null;
}

/** Data of the event `status`: the call was created, or its status changed. */
export class StatusEvent extends CallEndData {
  @ApiProperty({ enum: CALL_TYPES }) type: CallType;
  @ApiProperty({ enum: ['human', 'machine', 'unknown'] }) answered_by: string;
}

/** Data of the event `ended`: the record of the call is final. */
export class EndedEvent extends CallEndData {
  @ApiProperty({ type: 'integer', description: 'Seconds from answer to end.' }) duration: number;
  @ApiProperty({ description: 'Includes all fees.' }) total_cost: number;
}

/** Data of the event `turn`. */
export class TurnEvent extends CallEventData {
  @ApiProperty({
    type: 'integer',
    description:
      'Counts within the call. An event with the number of an earlier one replaces it: the turn was cut.',
  })
  seq: number;
  @ApiProperty({ enum: ['assistant', 'customer'] }) role: string;
  @ApiProperty({ enum: TURN_KINDS, description: 'As in `TurnResponse`.' }) kind: string;
  @ApiProperty({
    description: 'The heard words, at most 10,000 characters; empty when none of them was heard.',
  })
  text: string;
  @ApiProperty() interrupted: boolean;
}

/** Data of the event `tool`: a tool has responded or failed. */
export class ToolEvent extends CallEventData {
  @ApiProperty({ type: 'integer', description: 'Counts together with the turns.' }) seq: number;
  @ApiProperty() name: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Null when they are longer than 10,000 characters.',
  })
  arguments: Record<string, unknown> | null;
  @ApiProperty({ enum: ['ok', 'failed'] }) status: string;
  @ApiProperty({ type: 'integer', nullable: true }) status_code: number | null;
  @ApiProperty({ type: 'integer' }) duration_ms: number;
  @ApiProperty({ type: String, nullable: true }) error: string | null;
}

/** Data of the event `transfer`: a transfer to a person has started, or its outcome is known. */
export class TransferEvent extends CallEventData {
  @ApiProperty({ type: 'integer', description: 'Of the use of `transfer_call` among the turns.' })
  seq: number;
  @ApiProperty({ description: 'Of the entry in `transfer_numbers`.' }) name: string;
  @ApiProperty({ example: '+14155550177' }) to: string;
  @ApiProperty({ enum: TRANSFER_STATUSES }) status: string;
}
