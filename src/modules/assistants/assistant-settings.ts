import { BooleanField, IdField, EnumField, TextField } from '#src/common/validation/fields.js';
import { ListField, NestedField, VariablesField } from '#src/common/validation/object-fields.js';
import { TimezoneField } from '#src/common/validation/text-fields.js';
import { ASSISTANT_MODES } from '../catalog/catalog.types.js';
import {
  AMBIENT_SOUNDS,
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  CALLS_DIRECTIONS,
  CALLER_ID_LOOKUPS,
  ENDPOINT_TYPES,
  EndCallTool,
  FIRST_SPEAKERS,
  FillerConfig,
  PostCallField,
  TransferNumber,
  TYPE_OF,
  WrittenFillers,
  type CallsDirection,
  type FirstSpeaker,
} from './assistant.types.js';
import type { Assistant } from './entities/assistant.entity.js';
import {
  AS_0_OR_1,
  asStored,
  choice,
  decimal,
  flag,
  integer,
  MULTIMODAL_MODEL_ID,
  number,
  provider,
  seconds,
  setting,
  text,
  type Setting,
} from './setting-kinds.js';
import { BuiltInToolsField } from './built-in-tools.js';
import { WEBHOOK_SETTINGS } from './webhook-settings.js';
import {
  readWidgetSettings,
  WIDGET_DEFAULTS,
  WidgetSettingsField,
  withWidgetDefaults,
} from './widget-settings.js';

const LANGUAGE_MODEL = 'Name of one of the models of pipeline mode';
const orNull = (value: string | null) => value || null;

/**
 * Every setting, under its name in requests; validation, defaults, the mapping to the row, the answers and the OpenAPI
 * document come from here. Requests may also use the name in answers. Where a request gives several values of one
 * property, the first that differs from the stored value counts.
 */
export const ASSISTANT_SETTINGS = {
  assistant_name: text('name', { max: 255, example: 'Front desk', response: 'name' }),
  voice_id: setting('voiceId', IdField, {
    description: 'Id of one of the voices that speak the language.',
    example: 1,
    find: (id, catalog) => catalog.voice(id)?.id,
    schema: { type: 'integer' },
  }),
  language: setting('languageId', (field) => TextField({ ...field, max: 100 }), {
    description: 'Name of one of the languages. The customer can ask for another one that the voice speaks.',
    example: 'English',
    find: (key: string | number, catalog) => catalog.language(key)?.id,
    response: 'language_id',
    answered: { language_id: { field: IdField } },
    schema: { type: 'integer' },
  }),
  llm_model: setting('llmModelId', (field) => TextField({ ...field, max: 100 }), {
    description: 'Name of one of the models.',
    example: 'gpt-6-luna',
    find: (key: string | number, catalog) => catalog.model(key)?.id,
    response: 'llm_model_id',
    answered: { llm_model_id: { field: IdField }, multimodal_model_id: MULTIMODAL_MODEL_ID },
    schema: { type: 'integer' },
  }),
  llm_fallback_model: setting('llmFallbackModelId', (field) => TextField({ ...field, max: 100 }), {
    default: null,
    nullable: true,
    description: `${LANGUAGE_MODEL} that answers when the first one fails or is slow; null: the service chooses.`,
    example: 'gpt-5.6-luna',
    find: (name: string | null, catalog) => (name ? catalog.pipelineModel(name)?.id : null),
    schema: { type: 'string', description: `${LANGUAGE_MODEL}.` },
    render: (id, { catalog }) => (id === null ? null : (catalog.model(id)?.name ?? null)),
  }),
  calls_direction: setting('type', (field) => EnumField(CALLS_DIRECTIONS, field), {
    description: '`receive`: an inbound assistant, `make`: an outbound one.',
    read: (direction: CallsDirection) => TYPE_OF[direction],
    response: 'type',
    answered: { type: { field: (field) => EnumField(ASSISTANT_TYPES, field), read: asStored } },
    schema: { type: 'string', enum: [...ASSISTANT_TYPES] },
  }),
  engine_type: choice('mode', ASSISTANT_MODES, { response: 'mode' }),
  timezone: setting('timezone', TimezoneField, { example: 'Europe/Berlin', schema: { type: 'string' } }),
  initial_message: text('initialMessage', {
    max: 5000,
    description: 'Spoken when the call starts.',
    example: 'Hello {customer_name}, how can I help you?',
  }),
  system_prompt: text('systemPrompt', {
    max: 50_000,
    description: 'Behaviour and personality.',
    example: 'You are the friendly voice of a bicycle shop.',
  }),
  phone_number_id: setting('phoneNumberId', IdField, {
    default: null,
    description: 'One of your phone numbers.',
    update: { nullable: true, description: 'One of your phone numbers; null unassigns it.' },
    schema: { type: 'integer' },
  }),
  caller_id_lookup: choice('callerIdLookup', CALLER_ID_LOOKUPS, { default: 'always' }),
  endpoint_type: choice('endpointType', ENDPOINT_TYPES, { default: 'vad' }),
  endpoint_sensitivity: number('endpointSensitivity', {
    min: 0,
    max: 5,
    default: 0.5,
    description:
      'Seconds of silence after which the customer has finished: a higher value gives slow speakers more room.',
  }),
  interrupt_sensitivity: number('interruptSensitivity', {
    min: 0,
    max: 5,
    default: 0.5,
    description:
      "Seconds of the customer's speech that it takes to interrupt: with a higher value the assistant is harder to interrupt.",
  }),
  ambient_sound: choice('ambientSound', AMBIENT_SOUNDS, {
    default: 'off',
    description: 'Sound under the speech of the assistant.',
  }),
  ambient_sound_volume: decimal('ambientSoundVolume', { min: 0, max: 1, default: 0.5 }),
  post_call_evaluation: flag('postCallEvaluation', { default: true }),
  ...WEBHOOK_SETTINGS,
  use_min_interrupt_words: flag('useMinInterruptWords', {
    default: false,
    description: 'Whether `min_interrupt_words` counts.',
    response: null,
  }),
  min_interrupt_words: integer('minInterruptWords', { min: 0, max: 10, default: 0 }),
  variables: setting('variables', VariablesField, {
    default: {},
    example: { customer_name: 'Ada' },
    schema: { type: 'object', additionalProperties: true },
  }),
  post_call_schema: setting('postCallSchema', (field) => ListField(() => PostCallField, field), {
    default: [
      { name: 'status', type: 'bool', description: 'Whether the call reached its goal.' },
      { name: 'summary', type: 'string', description: 'Summary of the call in a few sentences.' },
    ],
    read: (fields: PostCallField[]) =>
      fields.map(({ name, type, description }) => ({ name, type, description })),
    schema: { type: [PostCallField] },
  }),
  end_call_tool: setting('endCallDescription', (field) => NestedField(() => EndCallTool, field), {
    default: null,
    nullable: true,
    description: 'The end of the call as a decision of the AI; null removes its description.',
    read: (tool: EndCallTool | null) => tool && tool.description,
    // Written out: a reference cannot be nullable in OpenAPI 3.0.
    schema: {
      type: 'object',
      required: ['description'],
      properties: { description: { type: 'string' } },
    },
    render: (description) => (description === null ? null : { description }),
  }),
  'end_call_tool.description': text('endCallDescription', {
    max: 500,
    default: null,
    nullable: true,
    description: 'The same as `description` in `end_call_tool`.',
    response: null,
  }),
  llm_temperature: decimal('llmTemperature', { min: 0, max: 1, default: 0.1 }),
  voice_stability: decimal('voiceStability', { min: 0, max: 1, default: 0.7 }),
  voice_similarity: decimal('voiceSimilarity', { min: 0, max: 1, default: 0.5 }),
  speech_speed: decimal('speechSpeed', { min: 0.7, max: 1.2, default: 1 }),
  allow_interruptions: flag('allowInterruptions', { default: true }),
  filler_audios: flag('fillerAudios', { default: false, response: 'fillers', ...AS_0_OR_1 }),
  filler_config: setting('writtenFillers', (field) => NestedField(() => WrittenFillers, field), {
    default: null,
    nullable: true,
    description: 'What is said while the model works, by kind of utterance; null: phrases of the language.',
    read: (written: WrittenFillers | null): FillerConfig | null =>
      written && { neutral: [], negative: [], positive: [], question: [], ...written },
    schema: { type: FillerConfig, nullable: false },
    render: (written, { assistant }) => written ?? assistant.fillerConfig,
  }),
  re_engagement_interval: seconds('reengagementInterval', {
    min: 7,
    max: 600,
    default: 30,
    response: 'reengagement_interval',
  }),
  reengagement_prompt: text('reengagementPrompt', {
    max: 500,
    default: null,
    nullable: true,
    description:
      'What the assistant is to do when the customer is silent; null: ask whether somebody is there.',
    example: 'Ask whether the customer needs a moment.',
    read: orNull,
  }),
  ringing_time: seconds('ringingTime', {
    min: 5,
    max: 120,
    default: null,
    requestDefault: 30,
    description: 'Seconds that an outbound call rings. Without it the setting `RING_TIMEOUT_SECONDS` counts.',
    schema: { type: 'integer', nullable: false, description: 'Seconds.' },
    render: (own, { ringTimeoutSeconds }) => own ?? ringTimeoutSeconds,
  }),
  max_call_duration: seconds('maxCallDuration', {
    min: 20,
    max: 1200,
    default: 600,
    response: 'max_duration',
  }),
  max_silence_duration: seconds('maxSilenceDuration', { min: 1, max: 120, default: 40 }),
  max_initial_silence_duration: seconds('maxInitialSilenceDuration', {
    min: 1,
    max: 120,
    default: null,
    nullable: true,
    description: 'Seconds without a first word of the customer; null: as `max_silence_duration`.',
  }),
  end_call_on_voicemail: flag('endCallOnVoicemail', { default: true, ...AS_0_OR_1 }),
  voice_mail_message: text('voiceMailMessage', {
    max: 1000,
    default: null,
    nullable: true,
    description: 'Spoken to an answering machine after its beep; null: nothing.',
    example: 'Hello, this is Ada. Please call us back.',
    read: orNull,
  }),
  transfer_numbers: setting(
    'transferNumbers',
    (field) => ListField(() => TransferNumber, { ...field, max: 20 }),
    {
      default: [],
      description: 'Whom the assistant can hand a call over to.',
      read: (numbers: TransferNumber[]) =>
        numbers.map(({ name, phone_number, description = '' }) => ({ name, phone_number, description })),
      schema: { type: [TransferNumber] },
    },
  ),
  tools: setting('builtInTools', BuiltInToolsField, {
    default: [],
    nullable: true,
    // Read where the account is known: a national number is one of its country.
    read: () => undefined,
    response: null,
  }),
  folder_id: setting('folderId', IdField, {
    default: null,
    nullable: true,
    description: 'One of your folders; null: none.',
    schema: { type: 'integer' },
  }),
  noise_cancellation: flag('noiseCancellation', { default: true, response: 'enable_noise_cancellation' }),
  record_call: flag('recordCall', { default: false, response: 'record' }),
  who_speaks_first: setting('waitForCustomer', (field) => EnumField(FIRST_SPEAKERS, field), {
    default: false,
    requestDefault: 'AI assistant',
    read: (speaker: FirstSpeaker) => speaker === 'Customer',
    response: 'wait_for_customer',
    answered: { wait_for_customer: { field: BooleanField, read: asStored } },
    schema: { type: 'boolean' },
  }),
  widget_settings: setting('widgetSettings', WidgetSettingsField, {
    default: WIDGET_DEFAULTS,
    read: readWidgetSettings,
    schema: { type: 'object', additionalProperties: true },
    render: withWidgetDefaults,
  }),
  synthesizer_provider_id: provider('synthesizerProviderId', 'speaks'),
  transcriber_provider_id: provider('transcriberProviderId', 'writes down what the customer says'),
  status: choice('status', ASSISTANT_STATUSES, {
    default: 'active',
    description: 'An inactive assistant neither calls nor answers.',
    create: null,
    update: {},
  }),
};

/** Names in requests with their settings. */
export const SETTINGS: [string, Setting][] = Object.entries(ASSISTANT_SETTINGS);

/** What a new assistant is where its request says nothing. */
export const ASSISTANT_DEFAULTS: Partial<Assistant> = Object.fromEntries(
  SETTINGS.flatMap(([, { property, default: value }]) => (value === undefined ? [] : [[property, value]])),
);
