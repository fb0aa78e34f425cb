import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '#src/http/message.response.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import {
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  type AssistantStatus,
  type AssistantType,
} from '../assistant.types.js';
import type { Assistant } from '../entities/assistant.entity.js';

const INSTANT = { example: '2026-01-31T09:30:00.000000Z' };

export class AssistantSummaryResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty({ enum: ASSISTANT_TYPES }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
}

export const toAssistantSummary = ({
  id,
  name,
  status,
  type,
  mode,
}: Assistant): AssistantSummaryResponse => ({
  id,
  name,
  status,
  type,
  mode,
});

export class OutboundAssistantResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ['outbound'] }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty({ type: 'integer' }) voice_id: number;
  @ApiProperty({ type: 'integer' }) language_id: number;
  @ApiProperty() timezone: string;
  @ApiProperty() initial_message: string;
  @ApiProperty() system_prompt: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Record<string, unknown>;
  @ApiProperty({ type: String, nullable: true }) webhook_url: string | null;
  @ApiProperty() is_webhook_active: boolean;
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty(INSTANT) updated_at: string;
}

export const toOutboundAssistant = (assistant: Assistant): OutboundAssistantResponse => ({
  id: assistant.id,
  user_id: assistant.accountId,
  name: assistant.name,
  type: assistant.type,
  mode: assistant.mode,
  status: assistant.status,
  voice_id: assistant.voiceId,
  language_id: assistant.languageId,
  timezone: assistant.timezone,
  initial_message: assistant.initialMessage,
  system_prompt: assistant.systemPrompt,
  variables: assistant.variables,
  webhook_url: assistant.webhookUrl,
  is_webhook_active: assistant.isWebhookActive,
  created_at: toIsoMicros(assistant.createdAt),
  updated_at: toIsoMicros(assistant.updatedAt),
});

export class AssistantPhoneNumberResponse {
  @ApiProperty({ type: 'integer', description: 'The value of `phone_number_id`.' }) id: number;
  @ApiProperty({ description: 'E.164.', example: '+14155550123' }) phone_number: string;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'US' }) country_code: string;
  @ApiProperty({ example: 'Local' }) type_label: string;
  @ApiProperty({ description: 'False: expired, or (asked for `inbound`) held by another inbound assistant.' })
  is_available: boolean;
}

interface UsersNumber {
  id: number;
  phone_number: string;
  country_code: string;
  type_label: string;
  has_active_subscription: boolean;
}

export const toAssistantPhoneNumber = (number: UsersNumber, held: boolean): AssistantPhoneNumberResponse => ({
  id: number.id,
  phone_number: number.phone_number,
  country_code: number.country_code,
  type_label: number.type_label,
  is_available: number.has_active_subscription && !held,
});

export class WebhookSwitchedResponse extends MessageResponse {
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0, description: 'Reserved.' })
  data: never[];
}
