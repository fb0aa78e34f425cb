import { ApiExtraModels, ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import {
  ASSISTANT_RETENTION_SCHEMA,
  type StoredAssistantRetention,
} from '../../retention/retention-fields.js';
import { REDACTIONS, type Redaction } from '../../redaction/redaction-options.js';
import { ToolResponse } from '../../tools/dto/tool.response.js';
import {
  AMBIENT_SOUNDS,
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  BuiltInTool,
  CALLER_ID_LOOKUPS,
  ENDPOINT_TYPES,
  FillerConfig,
  KNOWLEDGEBASE_MODES,
  NO_KNOWLEDGEBASE,
  PostCallField,
  TransferNumber,
  type AmbientSound,
  type AssistantStatus,
  type AssistantType,
  type CallerIdLookup,
  type EndpointType,
  type KnowledgebaseMode,
} from '../assistant.types.js';
import { ENDPOINT_SENSITIVITY, INTERRUPT_SENSITIVITY } from './listening-fields.dto.js';

const INSTANT = { example: '2026-01-31T09:30:00.000000Z' };
const DECIMAL = { description: 'A number with two decimals.', example: '0.50' };
const FLAG: ApiPropertyOptions = { type: 'integer', enum: [0, 1], description: '1 = yes, 0 = no.' };
const SECONDS: ApiPropertyOptions = { type: 'integer', description: 'Seconds.' };

/** The full shape: first what is no setting. The contract defines the names. */
@ApiExtraModels(ToolResponse, BuiltInTool)
export class AssistantResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty({ format: 'uuid' }) uuid: string;
  @ApiProperty({ type: 'integer', nullable: true }) engine_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) synthesizer_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) transcriber_id: number | null;
  @ApiProperty({ type: 'integer' }) instance_id: number;
  @ApiProperty({ type: 'integer', nullable: true }) flows_platform_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) multimodal_model_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) knowledgebase_id: number | null;
  @ApiProperty({ enum: [...KNOWLEDGEBASE_MODES, NO_KNOWLEDGEBASE] })
  knowledgebase_mode: KnowledgebaseMode | typeof NO_KNOWLEDGEBASE;
  @ApiProperty({ type: String, nullable: true, example: 'English' }) language: string | null;
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(ToolResponse) }, { $ref: getSchemaPath(BuiltInTool) }] },
    description: 'Mid call tools, then the built-in tools that requests declared.',
  })
  tools: (ToolResponse | BuiltInTool)[];
  @ApiProperty({ type: [Number], description: 'Ascending.' }) label_ids: number[];
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty(INSTANT) updated_at: string;
  @ApiProperty({ type: String, nullable: true }) deleted_at: string | null;

  @ApiProperty() name: string;
  @ApiProperty({ type: 'integer' }) voice_id: number;
  @ApiProperty({ type: 'integer' }) language_id: number;
  @ApiProperty({ type: 'integer' }) llm_model_id: number;
  @ApiProperty({ type: String, description: 'Name of one of the models of pipeline mode.', nullable: true })
  llm_fallback_model: string | null;
  @ApiProperty({ enum: ASSISTANT_TYPES }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty() timezone: string;
  @ApiProperty() initial_message: string;
  @ApiProperty() system_prompt: string;
  @ApiProperty({ type: 'integer', nullable: true }) phone_number_id: number | null;
  @ApiProperty({ enum: CALLER_ID_LOOKUPS }) caller_id_lookup: CallerIdLookup;
  @ApiProperty({ enum: ENDPOINT_TYPES }) endpoint_type: EndpointType;
  @ApiProperty({ description: ENDPOINT_SENSITIVITY }) endpoint_sensitivity: number;
  @ApiProperty({ description: INTERRUPT_SENSITIVITY }) interrupt_sensitivity: number;
  @ApiProperty({ enum: AMBIENT_SOUNDS }) ambient_sound: AmbientSound;
  @ApiProperty(DECIMAL) ambient_sound_volume: string;
  @ApiProperty() post_call_evaluation: boolean;
  @ApiProperty() send_webhook_only_on_completed: boolean;
  @ApiProperty() include_recording_in_webhook: boolean;
  @ApiProperty() is_webhook_active: boolean;
  @ApiProperty({ type: String, nullable: true }) webhook_url: string | null;
  @ApiProperty({ type: String, nullable: true }) inbound_webhook_url: string | null;
  @ApiProperty({ type: String, nullable: true }) conversation_ended_webhook_url: string | null;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1440, description: 'Minutes.' })
  conversation_inactivity_timeout: number;
  @ApiProperty(ASSISTANT_RETENTION_SCHEMA) retention: StoredAssistantRetention | null;
  @ApiProperty({ enum: REDACTIONS }) redaction: Redaction;
  @ApiProperty({ type: 'integer' }) min_interrupt_words: number;
  @ApiProperty({ type: 'object', additionalProperties: true }) variables: Record<string, unknown>;
  @ApiProperty({ type: [PostCallField] }) post_call_schema: PostCallField[];
  // Written out: a reference cannot be nullable in OpenAPI 3.0.
  @ApiProperty({
    type: 'object',
    required: ['description'],
    properties: { description: { type: 'string' } },
    nullable: true,
  })
  end_call_tool: { description: string } | null;
  @ApiProperty(DECIMAL) llm_temperature: string;
  @ApiProperty(DECIMAL) voice_stability: string;
  @ApiProperty(DECIMAL) voice_similarity: string;
  @ApiProperty(DECIMAL) speech_speed: string;
  @ApiProperty() allow_interruptions: boolean;
  @ApiProperty(FLAG) fillers: number;
  @ApiProperty() filler_config: FillerConfig;
  @ApiProperty(SECONDS) reengagement_interval: number;
  @ApiProperty({ type: String, nullable: true }) reengagement_prompt: string | null;
  @ApiProperty(SECONDS) ringing_time: number;
  @ApiProperty(SECONDS) max_duration: number;
  @ApiProperty(SECONDS) max_silence_duration: number;
  @ApiProperty({ ...SECONDS, nullable: true }) max_initial_silence_duration: number | null;
  @ApiProperty(FLAG) end_call_on_voicemail: number;
  @ApiProperty({ type: String, nullable: true }) voice_mail_message: string | null;
  @ApiProperty({ type: [TransferNumber] }) transfer_numbers: TransferNumber[];
  @ApiProperty({ type: 'integer', nullable: true }) folder_id: number | null;
  @ApiProperty() enable_noise_cancellation: boolean;
  @ApiProperty() record: boolean;
  @ApiProperty() wait_for_customer: boolean;
  @ApiProperty({ type: 'object', additionalProperties: true }) widget_settings: Record<string, unknown>;
  @ApiProperty({ type: [Number], description: 'Voices that take the place of one that fails, in order.' })
  fallback_voice_ids: number[];
  @ApiProperty({ type: 'integer', nullable: true }) synthesizer_provider_id: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) transcriber_provider_id: number | null;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
}
