import {
  CALL_STATUSES,
  CALL_TYPES,
  type CallStatus,
  type CallType,
  ENDED_BY,
  type EndedBy,
} from '../states/call-states.js';
import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { TRANSFER_STATUSES, type Transfer, type TransferStatus } from '../states/call-transfers.js';
import type { Call } from '../entities/call.entity.js';
import type { ProviderFailure } from '../provider-failure.js';

const REMOVED = { type: String, nullable: true, example: '2026-03-02 03:00:00' } as const;
const FREE = { type: 'object', additionalProperties: true } as const;

class TransferResponse {
  @ApiProperty({ example: '+14155550177' }) to: string;
  @ApiProperty({
    enum: TRANSFER_STATUSES,
    description:
      '`answered`: the person has the call. `canceled`: the customer hung up before anybody answered.',
  })
  status: TransferStatus;
  @ApiProperty({ example: '2026-01-31 09:30:00', description: 'When it began.' }) at: string;
}

class ProviderFailureResponse {
  @ApiProperty({ enum: ['synthesizer', 'transcriber'] }) kind: 'synthesizer' | 'transcriber';
  @ApiProperty({ example: 'ElevenLabs' }) provider: string;
  @ApiProperty({ type: String, nullable: true, description: 'At the provider; null for a transcriber.' })
  voice: string | null;
  @ApiProperty({ example: 'The speech socket was closed: 1006' }) reason: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) at: string;
}

export class CallResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) assistant_id: number;
  @ApiProperty() assistant_name: string;
  @ApiProperty({ type: 'integer', nullable: true }) campaign_id: number | null;
  @ApiProperty({ required: false, description: 'Present when the call belongs to a campaign.' })
  campaign_name?: string;
  @ApiProperty({ enum: CALL_TYPES }) type: CallType;
  @ApiProperty({ type: 'integer', description: 'Seconds from answer to end.' }) duration: number;
  @ApiProperty({ example: '+14155550100' }) assistant_phone_number: string;
  @ApiProperty({ example: '+15005550020', description: '`anonymous`: the caller withholds the number.' })
  client_phone_number: string;
  @ApiProperty({ enum: CALL_STATUSES }) status: CallStatus;
  @ApiProperty({ description: 'A line per turn: `AI: …` / `Customer: …`, with the heard words only.' })
  transcript: string;
  @ApiProperty({ ...FREE }) variables: Record<string, unknown>;
  @ApiProperty({ ...FREE, description: 'Keyed by the names of the post-call schema.' })
  evaluation: Record<string, unknown>;
  @ApiProperty({ ...FREE, description: 'Outcome of the last webhook delivery.' })
  webhook_response: Record<string, unknown>;
  @ApiProperty() carrier_cost: number;
  @ApiProperty({ description: 'Includes all fees.' }) total_cost: number;
  @ApiProperty({ enum: ['human', 'machine', 'unknown'] }) answered_by: string;
  @ApiProperty({
    required: false,
    description:
      'Present if available and recording enabled. Plays without a token, in a browser too, for 24 hours (`RECORDING_URL_TTL_HOURS`); `GET /user/calls/{id}/recording` redirects to a new one.',
  })
  recording_url?: string;
  @ApiProperty({
    type: [TransferResponse],
    description: 'Attempts to transfer the call to a person, in order.',
  })
  transfers: TransferResponse[];
  @ApiProperty({ enum: ENDED_BY, nullable: true, type: String }) ended_by: EndedBy | null;
  @ApiProperty({ type: String, nullable: true, example: 'goodbye' }) ended_reason: string | null;
  @ApiProperty({ type: [String], description: 'Settings that the carrier cannot apply to this call.' })
  settings_not_applied: string[];
  @ApiProperty({ type: [ProviderFailureResponse], description: 'Speech providers that failed, in order.' })
  provider_failures: ProviderFailureResponse[];
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ type: String, nullable: true, example: '2026-01-31 09:30:05' }) answered_at: string | null;
  @ApiProperty({ type: String, nullable: true, example: '2026-01-31 09:31:00' }) ended_at: string | null;
  @ApiProperty({ example: '2026-01-31 09:30:00', description: 'Not changed by a webhook delivery.' })
  updated_at: string;
  @ApiProperty({
    ...REMOVED,
    description:
      'When transcript, turns and answers of tools and webhooks were removed (docs/use/retention.md).',
  })
  transcript_deleted_at: string | null;
  @ApiProperty({ ...REMOVED, description: 'When `variables` and `evaluation` were removed.' })
  variables_deleted_at: string | null;
}

/** The properties of a call that the response needs. */
export const CALL_RESPONSE_COLUMNS = [
  'id',
  'assistantId',
  'assistantName',
  'campaignId',
  'campaignName',
  'type',
  'duration',
  'assistantPhoneNumber',
  'clientPhoneNumber',
  'status',
  'transcript',
  'variables',
  'evaluation',
  'webhookResponse',
  'carrierCostMicros',
  'totalCostMicros',
  'answeredBy',
  'recordingUrl',
  'transfers',
  'endedBy',
  'endedReason',
  'settingsNotApplied',
  'providerFailures',
  'createdAt',
  'answeredAt',
  'endedAt',
  'updatedAt',
  'transcriptDeletedAt',
  'variablesDeletedAt',
] as const satisfies readonly (keyof Call)[];

export type CallForResponse = Pick<Call, (typeof CALL_RESPONSE_COLUMNS)[number]>;

export const toTransferResponse = ({ to, status, at }: Transfer): TransferResponse => ({
  to,
  status,
  at: toDateTime(new Date(at)),
});

export const toProviderFailureResponse = ({ at, ...failure }: ProviderFailure): ProviderFailureResponse => ({
  ...failure,
  at: toDateTime(new Date(at)),
});

/** @param recordingUrl the signed one; the stored one is the carrier's */
export const toCallResponse = (call: CallForResponse, recordingUrl: string | null): CallResponse => ({
  id: call.id,
  assistant_id: call.assistantId,
  assistant_name: call.assistantName,
  campaign_id: call.campaignId,
  ...(call.campaignName === null ? {} : { campaign_name: call.campaignName }),
  type: call.type,
  duration: call.duration,
  assistant_phone_number: call.assistantPhoneNumber,
  client_phone_number: call.clientPhoneNumber,
  status: call.status,
  transcript: call.transcript,
  variables: call.variables,
  evaluation: call.evaluation,
  webhook_response: call.webhookResponse,
  carrier_cost: toAmount(call.carrierCostMicros),
  total_cost: toAmount(call.totalCostMicros),
  answered_by: call.answeredBy,
  ...(recordingUrl === null ? {} : { recording_url: recordingUrl }),
  transfers: call.transfers.map(toTransferResponse),
  ended_by: call.endedBy,
  ended_reason: call.endedReason,
  settings_not_applied: call.settingsNotApplied,
  provider_failures: call.providerFailures.map(toProviderFailureResponse),
  created_at: toDateTime(call.createdAt),
  answered_at: call.answeredAt && toDateTime(call.answeredAt),
  ended_at: call.endedAt && toDateTime(call.endedAt),
  updated_at: toDateTime(call.updatedAt),
  transcript_deleted_at: call.transcriptDeletedAt && toDateTime(call.transcriptDeletedAt),
  variables_deleted_at: call.variablesDeletedAt && toDateTime(call.variablesDeletedAt),
});
