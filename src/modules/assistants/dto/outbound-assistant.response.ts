import { ApiProperty } from '@nestjs/swagger';
import { toIsoMicros } from '#src/common/time/format.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { ASSISTANT_STATUSES, type AssistantStatus, type AssistantType } from '../assistant.types.js';
import type { Assistant } from '../entities/assistant.entity.js';

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
  @ApiProperty({ example: '2026-01-31T09:30:00.000000Z' }) created_at: string;
  @ApiProperty({ example: '2026-01-31T09:30:00.000000Z' }) updated_at: string;
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
