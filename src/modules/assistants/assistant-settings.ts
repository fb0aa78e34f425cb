import type { AssistantResponse } from './dto/assistant.response.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import { NO_KNOWLEDGEBASE, TYPE_OF_DIRECTION } from './assistant.types.js';
import type {
  SettingAlias,
  ResponseNamesTable,
  Setting,
  SettingName,
  SettingsTable,
} from './setting.types.js';
import { readAssistantRetention } from '../retention/retention-fields.js';
import { readWidgetSettings, withWidgetDefaults } from './widget-settings.js';

const orNull = (value: string | null) => value || null;
const as0Or1 = (value: boolean) => (value ? 1 : 0);
const withTwoDecimals = (value: number) => value.toFixed(2);
/** For an alias in responses under which requests send the stored value. */
const asStored = (value: unknown) => value;

/**
 * Every setting, under its name in requests: its column, how a request's value becomes the stored one, and how
 * responses name and show it. The field of the request is in `dto/*-fields.dto.ts`, the default in
 * `assistant-defaults.ts`: a field without an entry, an entry without a field, and an optional field without a default
 * do not compile. Where a request gives several values of one property, the first that differs from the stored value
 * counts.
 */
export const ASSISTANT_SETTINGS = {
  assistant_name: { property: 'name', response: 'name' },
  voice_id: { property: 'voiceId', find: (id, catalog) => catalog.voice(id)?.id },
  language: {
    property: 'languageId',
    find: (name, catalog) => catalog.language(name)?.id,
    response: 'language_id',
  },
  llm_model: {
    property: 'llmModelId',
    find: (name, catalog) => catalog.model(name)?.id,
    response: 'llm_model_id',
  },
  llm_fallback_model: {
    property: 'llmFallbackModelId',
    find: (name, catalog) => (name ? catalog.pipelineModel(name)?.id : null),
    render: (id, { catalog }) => (id === null ? null : (catalog.model(id)?.name ?? null)),
  },
  calls_direction: { property: 'type', read: (direction) => TYPE_OF_DIRECTION[direction], response: 'type' },
  engine_type: { property: 'mode', response: 'mode' },
  timezone: { property: 'timezone' },
  initial_message: { property: 'initialMessage' },
  system_prompt: { property: 'systemPrompt' },
  phone_number_id: { property: 'phoneNumberId' },
  caller_id_lookup: { property: 'callerIdLookup' },
  endpoint_type: { property: 'endpointType' },
  endpoint_sensitivity: { property: 'endpointSensitivity' },
  interrupt_sensitivity: { property: 'interruptSensitivity' },
  ambient_sound: { property: 'ambientSound' },
  ambient_sound_volume: { property: 'ambientSoundVolume', render: withTwoDecimals },
  post_call_evaluation: { property: 'postCallEvaluation' },
  send_webhook_only_on_completed: { property: 'sendWebhookOnlyOnCompleted' },
  include_recording_in_webhook: { property: 'includeRecordingInWebhook' },
  is_webhook_active: { property: 'isWebhookActive' },
  webhook_url: { property: 'webhookUrl' },
  inbound_webhook_url: { property: 'inboundWebhookUrl' },
  conversation_ended_webhook_url: { property: 'conversationEndedWebhookUrl' },
  conversation_inactivity_timeout: {
    property: 'conversationInactivityTimeout',
    read: (minutes) => minutes ?? ASSISTANT_DEFAULTS.conversationInactivityTimeout,
  },
  retention: { property: 'retention', read: readAssistantRetention },
  redaction: { property: 'redaction' },
  use_min_interrupt_words: { property: 'useMinInterruptWords', response: null },
  min_interrupt_words: { property: 'minInterruptWords' },
  variables: { property: 'variables' },
  post_call_schema: {
    property: 'postCallSchema',
    read: (fields) => fields.map(({ name, type, description }) => ({ name, type, description })),
  },
  end_call_tool: {
    property: 'endCallDescription',
    read: (tool) => tool && tool.description,
    render: (description) => (description === null ? null : { description }),
  },
  'end_call_tool.description': { property: 'endCallDescription', response: null },
  llm_temperature: { property: 'llmTemperature', render: withTwoDecimals },
  voice_stability: { property: 'voiceStability', render: withTwoDecimals },
  voice_similarity: { property: 'voiceSimilarity', render: withTwoDecimals },
  speech_speed: { property: 'speechSpeed', render: withTwoDecimals },
  allow_interruptions: { property: 'allowInterruptions' },
  filler_audios: { property: 'fillerAudios', response: 'fillers', render: as0Or1 },
  filler_config: {
    property: 'writtenFillers',
    read: (written) => written && { neutral: [], negative: [], positive: [], question: [], ...written },
    render: (written, { assistant }) => written ?? assistant.fillerConfig,
  },
  re_engagement_interval: {
    property: 'reengagementInterval',
    response: 'reengagement_interval',
  },
  reengagement_prompt: { property: 'reengagementPrompt', read: orNull },
  ringing_time: {
    property: 'ringingTime',
    render: (own, { ringTimeoutSeconds }) => own ?? ringTimeoutSeconds,
  },
  max_call_duration: { property: 'maxCallDuration', response: 'max_duration' },
  max_silence_duration: { property: 'maxSilenceDuration' },
  max_initial_silence_duration: { property: 'maxInitialSilenceDuration' },
  end_call_on_voicemail: { property: 'endCallOnVoicemail', render: as0Or1 },
  voice_mail_message: { property: 'voiceMailMessage', read: orNull },
  transfer_numbers: {
    property: 'transferNumbers',
    read: (numbers) =>
      numbers.map(({ name, phone_number, description = '' }) => ({ name, phone_number, description })),
  },
  tools: {
    property: 'builtInTools',
    // Read where the account is known: a national number is one of its country.
    read: () => undefined,
    response: null,
  },
  folder_id: { property: 'folderId' },
  knowledgebase_id: { property: 'knowledgebaseId' },
  knowledgebase_mode: {
    property: 'knowledgebaseMode',
    read: (mode) => (mode === NO_KNOWLEDGEBASE ? undefined : mode),
    render: (mode, { assistant }) => (assistant.knowledgebaseId === null ? NO_KNOWLEDGEBASE : mode),
  },
  noise_cancellation: {
    property: 'noiseCancellation',
    response: 'enable_noise_cancellation',
  },
  record_call: { property: 'recordCall', response: 'record' },
  who_speaks_first: {
    property: 'waitForCustomer',
    read: (speaker) => speaker === 'Customer',
    response: 'wait_for_customer',
  },
  widget_settings: {
    property: 'widgetSettings',
    read: readWidgetSettings,
    render: withWidgetDefaults,
  },
  fallback_voice_ids: {
    property: 'fallbackVoiceIds',
    find: (ids, catalog) => (ids.every((id) => catalog.voice(id)) ? [...new Set(ids)] : undefined),
  },
  synthesizer_provider_id: {
    property: 'synthesizerProviderId',
    find: (id, catalog) => (id === null ? null : catalog.speechProvider(id, 'synthesizer')?.id),
  },
  transcriber_provider_id: {
    property: 'transcriberProviderId',
    find: (id, catalog) => (id === null ? null : catalog.speechProvider(id, 'transcriber')?.id),
  },
  status: { property: 'status' },
} satisfies SettingsTable;

/** Names in responses that requests may use too, with their settings, whose own name counts first. */
export const RESPONSE_NAMES = {
  name: { of: 'assistant_name' },
  language_id: { of: 'language', find: (id, catalog) => catalog.language(id)?.id },
  llm_model_id: { of: 'llm_model', find: (id, catalog) => catalog.model(id)?.id },
  // Null where the model is none of these: another name has the model.
  multimodal_model_id: {
    of: 'llm_model',
    find: (id, catalog) => (id === null ? null : catalog.multimodalModel(id)?.id),
  },
  type: { of: 'calls_direction', read: asStored },
  mode: { of: 'engine_type' },
  fillers: { of: 'filler_audios' },
  reengagement_interval: { of: 're_engagement_interval' },
  max_duration: { of: 'max_call_duration' },
  enable_noise_cancellation: { of: 'noise_cancellation' },
  record: { of: 'record_call' },
  wait_for_customer: { of: 'who_speaks_first', read: asStored },
} satisfies ResponseNamesTable;

type Shown = {
  [Name in SettingName]: (typeof ASSISTANT_SETTINGS)[Name] extends { response: infer Response }
    ? Response
    : Name;
}[SettingName];

/** Fields of responses that show settings. */
export type SettingResponseName = Extract<Shown, keyof AssistantResponse>;

export const SETTING_ENTRIES = Object.entries(ASSISTANT_SETTINGS) as [SettingName, Setting][];
export const RESPONSE_NAME_ENTRIES = Object.entries(RESPONSE_NAMES) as [string, SettingAlias][];

/** Whether requests write the value under this name as under the setting's own one. */
export const isPlainAlias = ({ read, find }: SettingAlias): boolean => !read && !find;

/** Names in responses, by those in requests, of settings that both write alike. */
export const RESPONSE_NAME_OF_SETTING: Record<string, string> = Object.fromEntries(
  RESPONSE_NAME_ENTRIES.filter(([, other]) => isPlainAlias(other)).map(([name, { of }]) => [of, name]),
);
