import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { toIsoMicros } from '#src/common/time/time.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { type Catalog } from '../../catalog/catalog.js';
import { ToolResponse } from '../../tools/dto/tool.response.js';
import {
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  ENDPOINT_TYPES,
  type AssistantStatus,
  type AssistantType,
  type EndpointType,
} from '../assistant.types.js';
import type { Assistant } from '../entities/assistant.entity.js';
import { FillerConfigResponse, PostCallFieldDto } from './assistant-parts.dto.js';

const FLAG = { type: 'integer', enum: [0, 1], description: '1 = yes, 0 = no.' } as const;
const DECIMAL = { description: 'A number with two decimals.', example: '0.50' };
const INSTANT = { example: '2026-01-31T09:30:00.000000Z' };
// Written out: a reference cannot be nullable in OpenAPI 3.0.
const END_CALL_TOOL: ApiPropertyOptions = {
  type: 'object',
  nullable: true,
  required: ['description'],
  properties: { description: { type: 'string' } },
};
const SECONDS = { type: 'integer', description: 'Seconds.' } as const;

/** Fields of the contract that this service does not have are null. */
const INSTANCE_ID = 1;
const NO_KNOWLEDGEBASE = 'none';

/** The full shape. Some names differ from those of requests; the contract defines both. */
export class AssistantResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty({ type: 'integer', nullable: true }) phone_number_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) engine_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) synthesizer_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) transcriber_id: number | null;
  @ApiProperty({ type: 'integer' }) voice_id: number;
  @ApiProperty({ type: 'integer' }) instance_id: number;
  @ApiProperty() name: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Record<string, unknown>;
  @ApiProperty() post_call_evaluation: boolean;
  @ApiProperty(FLAG) fillers: number;
  @ApiProperty({ type: [PostCallFieldDto] }) post_call_schema: PostCallFieldDto[];
  @ApiProperty(END_CALL_TOOL) end_call_tool: { description: string } | null;
  @ApiProperty({ type: [ToolResponse] }) tools: ToolResponse[];
  @ApiProperty() is_webhook_active: boolean;
  @ApiProperty({ type: String, nullable: true }) webhook_url: string | null;
  @ApiProperty({ type: String, nullable: true }) inbound_webhook_url: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'English' }) language: string | null;
  @ApiProperty({ enum: ASSISTANT_TYPES }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty(SECONDS) max_duration: number;
  @ApiProperty() record: boolean;
  @ApiProperty() initial_message: string;
  @ApiProperty() system_prompt: string;
  @ApiProperty({ type: 'integer', nullable: true }) flows_platform_id: number | null;
  @ApiProperty() timezone: string;
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty(INSTANT) updated_at: string;
  @ApiProperty(SECONDS) max_silence_duration: number;
  @ApiProperty(SECONDS) reengagement_interval: number;
  @ApiProperty({ type: String, nullable: true }) deleted_at: string | null;
  @ApiProperty(FLAG) end_call_on_voicemail: number;
  @ApiProperty(DECIMAL) llm_temperature: string;
  @ApiProperty(DECIMAL) voice_stability: string;
  @ApiProperty(DECIMAL) voice_similarity: string;
  @ApiProperty() allow_interruptions: boolean;
  @ApiProperty() enable_noise_cancellation: boolean;
  @ApiProperty() endpoint_sensitivity: number;
  @ApiProperty(DECIMAL) speech_speed: string;
  @ApiProperty({ enum: ENDPOINT_TYPES }) endpoint_type: EndpointType;
  @ApiProperty() wait_for_customer: boolean;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty({ type: 'integer' }) language_id: number;
  @ApiProperty({ type: 'integer', nullable: true }) transcriber_provider_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) synthesizer_provider_id: number | null;
  @ApiProperty({ type: 'integer' }) llm_model_id: number;
  @ApiProperty({ type: 'integer', nullable: true }) multimodal_model_id: number | null;
  @ApiProperty() ambient_sound: string;
  @ApiProperty({ format: 'uuid' }) uuid: string;
  @ApiProperty() send_webhook_only_on_completed: boolean;
  @ApiProperty() include_recording_in_webhook: boolean;
  @ApiProperty() interrupt_sensitivity: number;
  @ApiProperty({ type: FillerConfigResponse }) filler_config: FillerConfigResponse;
  @ApiProperty({ type: 'integer', nullable: true }) knowledgebase_id: number | null;
  @ApiProperty() knowledgebase_mode: string;
  @ApiProperty({ type: 'integer' }) min_interrupt_words: number;
  @ApiProperty(DECIMAL) ambient_sound_volume: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) widget_settings: Record<string, unknown>;
}

export const toAssistantResponse = (
  assistant: Assistant,
  catalog: Catalog,
  tools: ToolResponse[],
): AssistantResponse => ({
  id: assistant.id,
  user_id: assistant.accountId,
  phone_number_id: assistant.phoneNumberId,
  engine_id: null,
  synthesizer_id: null,
  transcriber_id: null,
  voice_id: assistant.voiceId,
  instance_id: INSTANCE_ID,
  name: assistant.name,
  variables: assistant.variables,
  post_call_evaluation: assistant.postCallEvaluation,
  fillers: flag(assistant.fillerAudios),
  post_call_schema: assistant.postCallSchema,
  end_call_tool: endCallTool(assistant),
  tools,
  is_webhook_active: assistant.isWebhookActive,
  webhook_url: assistant.webhookUrl,
  inbound_webhook_url: assistant.inboundWebhookUrl,
  language: catalog.language(assistant.languageId)?.name ?? null,
  type: assistant.type,
  status: assistant.status,
  max_duration: assistant.maxCallDuration,
  record: assistant.recordCall,
  initial_message: assistant.initialMessage,
  system_prompt: assistant.systemPrompt,
  flows_platform_id: null,
  timezone: assistant.timezone,
  created_at: toIsoMicros(assistant.createdAt),
  updated_at: toIsoMicros(assistant.updatedAt),
  max_silence_duration: assistant.maxSilenceDuration,
  reengagement_interval: assistant.reengagementInterval,
  deleted_at: assistant.deletedAt && toIsoMicros(assistant.deletedAt),
  end_call_on_voicemail: flag(assistant.endCallOnVoicemail),
  llm_temperature: decimal(assistant.llmTemperature),
  voice_stability: decimal(assistant.voiceStability),
  voice_similarity: decimal(assistant.voiceSimilarity),
  allow_interruptions: assistant.allowInterruptions,
  enable_noise_cancellation: assistant.noiseCancellation,
  endpoint_sensitivity: assistant.endpointSensitivity,
  speech_speed: decimal(assistant.speechSpeed),
  endpoint_type: assistant.endpointType,
  wait_for_customer: assistant.waitForCustomer,
  mode: assistant.mode,
  language_id: assistant.languageId,
  transcriber_provider_id: null,
  synthesizer_provider_id: null,
  llm_model_id: assistant.llmModelId,
  multimodal_model_id: multimodalModelId(assistant, catalog),
  ambient_sound: assistant.ambientSound,
  uuid: assistant.uuid,
  send_webhook_only_on_completed: assistant.sendWebhookOnlyOnCompleted,
  include_recording_in_webhook: assistant.includeRecordingInWebhook,
  interrupt_sensitivity: assistant.interruptSensitivity,
  filler_config: assistant.fillerConfig,
  knowledgebase_id: null,
  knowledgebase_mode: NO_KNOWLEDGEBASE,
  min_interrupt_words: assistant.minInterruptWords,
  ambient_sound_volume: decimal(assistant.ambientSoundVolume),
  widget_settings: assistant.widgetSettings,
});

const flag = (value: boolean): number => (value ? 1 : 0);

const decimal = (value: number): string => value.toFixed(2);

const endCallTool = ({ endCallDescription: description }: Assistant): { description: string } | null =>
  description === null ? null : { description };

const multimodalModelId = ({ llmModelId }: Assistant, catalog: Catalog): number | null =>
  catalog.model(llmModelId)?.mode === 'multimodal' ? llmModelId : null;
