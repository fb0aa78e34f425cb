import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import {
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  NumberField,
  TextField,
  UrlField,
} from '#src/common/validation/fields.js';
import {
  FreeObjectField,
  IdListField,
  ListField,
  NestedField,
} from '#src/common/validation/object-fields.js';
import { TimezoneField } from '#src/common/validation/text-fields.js';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import { ASSISTANT_DEFAULTS as DEFAULTS, DEFAULT_FIRST_SPEAKER } from '../assistant-defaults.js';
import {
  CALLS_DIRECTIONS,
  ENDPOINT_TYPES,
  FIRST_SPEAKERS,
  type CallsDirection,
  type EndpointType,
  type FirstSpeaker,
  ASSISTANT_STATUSES,
  type AssistantStatus,
} from '../assistant.types.js';
import { EndCallToolDto, PostCallFieldDto } from './assistant-parts.dto.js';
import { OmitType, PartialType } from '@nestjs/swagger';

/** Without a value of its own a field gets the default, which is told to readers of the OpenAPI document. */
const optional = <T>(value: T) => ({ required: false, default: value });

@InvalidMessage(VALIDATION_FAILED)
export class CreateAssistantDto {
  @TextField({ max: 255, example: 'Front desk' })
  assistant_name: string;

  @IdField({ description: 'Id of one of the voices.', example: 1 })
  voice_id: number;

  @TextField({ max: 100, description: 'Name of one of the languages.', example: 'English' })
  language: string;

  @TextField({ max: 100, description: 'Name of one of the models.', example: 'gpt-4.1-mini' })
  llm_model: string;

  @EnumField(CALLS_DIRECTIONS, { description: '`receive`: an inbound assistant, `make`: an outbound one.' })
  calls_direction: CallsDirection;

  @EnumField(ASSISTANT_MODES)
  engine_type: AssistantMode;

  @TimezoneField({ example: 'Europe/Berlin' })
  timezone: string;

  @TextField({
    max: 5000,
    description: 'Spoken when the call starts.',
    example: 'Hello {customer_name}, how can I help you?',
  })
  initial_message: string;

  @TextField({
    max: 50_000,
    description: 'Behaviour and personality.',
    example: 'You are the friendly voice of a bicycle shop.',
  })
  system_prompt: string;

  @IdField({ required: false, description: 'One of your phone numbers.' })
  phone_number_id?: number;

  @IdListField({ required: false, description: 'Your mid call tools that the assistant may call.' })
  tool_ids?: number[];

  @EnumField(ENDPOINT_TYPES, optional(DEFAULTS.endpointType))
  endpoint_type?: EndpointType;

  @NumberField({ min: 0, max: 5, ...optional(DEFAULTS.endpointSensitivity) })
  endpoint_sensitivity?: number;

  @NumberField({ min: 0, max: 5, ...optional(DEFAULTS.interruptSensitivity) })
  interrupt_sensitivity?: number;

  @NumberField({ min: 0, max: 1, ...optional(DEFAULTS.ambientSoundVolume) })
  ambient_sound_volume?: number;

  @BooleanField(optional(DEFAULTS.postCallEvaluation))
  post_call_evaluation?: boolean;

  @BooleanField(optional(DEFAULTS.sendWebhookOnlyOnCompleted))
  send_webhook_only_on_completed?: boolean;

  @BooleanField(optional(DEFAULTS.includeRecordingInWebhook))
  include_recording_in_webhook?: boolean;

  @BooleanField(optional(DEFAULTS.isWebhookActive))
  is_webhook_active?: boolean;

  @UrlField({
    required: false,
    description: 'Post-call notifications. Required when `is_webhook_active` is true.',
    example: 'https://example.com/calls',
  })
  webhook_url?: string;

  @BooleanField({
    ...optional(DEFAULTS.useMinInterruptWords),
    description: 'Whether `min_interrupt_words` counts.',
  })
  use_min_interrupt_words?: boolean;

  @IntegerField({ min: 0, max: 10, ...optional(DEFAULTS.minInterruptWords) })
  min_interrupt_words?: number;

  @FreeObjectField({ ...optional(DEFAULTS.variables), example: { customer_name: 'Ada' } })
  variables?: Record<string, unknown>;

  @ListField(() => PostCallFieldDto, optional(DEFAULTS.postCallSchema))
  post_call_schema?: PostCallFieldDto[];

  @NestedField(() => EndCallToolDto, {
    required: false,
    description: 'The end of the call as a decision of the AI.',
  })
  end_call_tool?: EndCallToolDto;

  @TextField({ required: false, max: 500, description: 'The same as `description` in `end_call_tool`.' })
  'end_call_tool.description'?: string;

  @NumberField({ min: 0, max: 1, ...optional(DEFAULTS.llmTemperature) })
  llm_temperature?: number;

  @NumberField({ min: 0, max: 1, ...optional(DEFAULTS.voiceStability) })
  voice_stability?: number;

  @NumberField({ min: 0, max: 1, ...optional(DEFAULTS.voiceSimilarity) })
  voice_similarity?: number;

  @NumberField({ min: 0.7, max: 1.2, ...optional(DEFAULTS.speechSpeed) })
  speech_speed?: number;

  @BooleanField(optional(DEFAULTS.allowInterruptions))
  allow_interruptions?: boolean;

  @BooleanField(optional(DEFAULTS.fillerAudios))
  filler_audios?: boolean;

  @IntegerField({ min: 7, max: 600, ...optional(DEFAULTS.reengagementInterval), description: 'Seconds.' })
  re_engagement_interval?: number;

  @IntegerField({ min: 20, max: 1200, ...optional(DEFAULTS.maxCallDuration), description: 'Seconds.' })
  max_call_duration?: number;

  @IntegerField({ min: 1, max: 120, ...optional(DEFAULTS.maxSilenceDuration), description: 'Seconds.' })
  max_silence_duration?: number;

  @BooleanField(optional(DEFAULTS.endCallOnVoicemail))
  end_call_on_voicemail?: boolean;

  @BooleanField(optional(DEFAULTS.noiseCancellation))
  noise_cancellation?: boolean;

  @BooleanField(optional(DEFAULTS.recordCall))
  record_call?: boolean;

  @EnumField(FIRST_SPEAKERS, optional(DEFAULT_FIRST_SPEAKER))
  who_speaks_first?: FirstSpeaker;
}

/** Absent keeps; null clears the number and the webhook's URL and is refused elsewhere; lists are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateAssistantDto extends PartialType(
  OmitType(CreateAssistantDto, ['phone_number_id', 'webhook_url'] as const),
  { skipNullProperties: false },
) {
  @IdField({ required: false, nullable: true, description: 'One of your phone numbers; null unassigns it.' })
  phone_number_id?: number | null;

  @UrlField({
    required: false,
    nullable: true,
    description:
      'Post-call notifications; null removes it and ends them. Required when `is_webhook_active` is true.',
  })
  webhook_url?: string | null;

  @EnumField(ASSISTANT_STATUSES, {
    required: false,
    description: 'An inactive assistant neither calls nor answers.',
  })
  status?: AssistantStatus;
}
