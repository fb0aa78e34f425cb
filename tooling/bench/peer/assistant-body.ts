import { ASSISTANT_DEFAULTS as DEFAULTS } from '#src/modules/assistants/assistant-defaults.js';
import { defaultFillers } from '#src/modules/assistants/filler-phrases.js';

export interface NewAssistant {
  assistant_name: string;
  voice_id: number;
  language: string;
  llm_model: string;
  calls_direction: 'receive' | 'make';
  engine_type: 'pipeline' | 'multimodal';
  timezone: string;
  end_call_tool?: { description?: string };
  variables: object;
  post_call_schema: object[];
  who_speaks_first: 'AI assistant' | 'Customer';
  [field: string]: unknown;
}

/** The benchmark's assistants speak English only. */
const FILLERS = JSON.stringify(defaultFillers('en'));

const text = (maxLength?: number) => ({ type: 'string', minLength: 1, ...(maxLength && { maxLength }) });
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
const number = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });
const integer = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const flag = { type: 'boolean' };
const or = <S extends object>(schema: S, value: unknown) => ({ ...schema, default: value });

const POST_CALL_FIELD = {
  type: 'object',
  required: ['name', 'type', 'description'],
  properties: {
    name: { type: 'string', maxLength: 64, pattern: '^\\w+$' },
    type: oneOf('string', 'number', 'bool'),
    description: text(1000),
  },
};

/** JSON Schema of a new assistant, with defaults. */
export const ASSISTANT = {
  type: 'object',
  required: [
    'assistant_name',
    'voice_id',
    'language',
    'llm_model',
    'calls_direction',
    'engine_type',
    'timezone',
    'initial_message',
    'system_prompt',
  ],
  properties: {
    assistant_name: text(255),
    voice_id: id,
    language: text(100),
    llm_model: text(100),
    calls_direction: oneOf('receive', 'make'),
    engine_type: oneOf('pipeline', 'multimodal'),
    timezone: text(),
    initial_message: text(),
    system_prompt: text(),
    endpoint_type: or(oneOf('vad', 'ai'), DEFAULTS.endpointType),
    endpoint_sensitivity: or(number(0, 5), DEFAULTS.endpointSensitivity),
    interrupt_sensitivity: or(number(0, 5), DEFAULTS.interruptSensitivity),
    ambient_sound_volume: or(number(0, 1), DEFAULTS.ambientSoundVolume),
    post_call_evaluation: or(flag, DEFAULTS.postCallEvaluation),
    send_webhook_only_on_completed: or(flag, DEFAULTS.sendWebhookOnlyOnCompleted),
    include_recording_in_webhook: or(flag, DEFAULTS.includeRecordingInWebhook),
    is_webhook_active: or(flag, DEFAULTS.isWebhookActive),
    webhook_url: { type: 'string', format: 'uri', maxLength: 2048 },
    use_min_interrupt_words: or(flag, DEFAULTS.useMinInterruptWords),
    min_interrupt_words: or(integer(0, 10), DEFAULTS.minInterruptWords),
    variables: or({ type: 'object', additionalProperties: true }, {}),
    post_call_schema: or({ type: 'array', maxItems: 100, items: POST_CALL_FIELD }, DEFAULTS.postCallSchema),
    end_call_tool: { type: 'object', properties: { description: { type: 'string', maxLength: 500 } } },
    llm_temperature: or(number(0, 1), DEFAULTS.llmTemperature),
    voice_stability: or(number(0, 1), DEFAULTS.voiceStability),
    voice_similarity: or(number(0, 1), DEFAULTS.voiceSimilarity),
    speech_speed: or(number(0.7, 1.2), DEFAULTS.speechSpeed),
    allow_interruptions: or(flag, DEFAULTS.allowInterruptions),
    filler_audios: or(flag, DEFAULTS.fillerAudios),
    re_engagement_interval: or(integer(7, 600), DEFAULTS.reengagementInterval),
    max_call_duration: or(integer(20, 1200), DEFAULTS.maxCallDuration),
    max_silence_duration: or(integer(1, 120), DEFAULTS.maxSilenceDuration),
    end_call_on_voicemail: or(flag, DEFAULTS.endCallOnVoicemail),
    noise_cancellation: or(flag, DEFAULTS.noiseCancellation),
    record_call: or(flag, DEFAULTS.recordCall),
    who_speaks_first: or(oneOf('AI assistant', 'Customer'), 'AI assistant'),
  },
};

const field =
  (name: string) =>
  (body: NewAssistant): unknown =>
    body[name];

/** Values by column; the ids of language and model are added. */
export const COLUMNS: Record<string, (body: NewAssistant) => unknown> = {
  name: field('assistant_name'),
  type: ({ calls_direction }) => (calls_direction === 'make' ? 'outbound' : 'inbound'),
  mode: field('engine_type'),
  status: () => 'active',
  phone_number_id: () => null,
  voice_id: field('voice_id'),
  timezone: field('timezone'),
  initial_message: field('initial_message'),
  system_prompt: field('system_prompt'),
  variables: ({ variables }) => JSON.stringify(variables),
  post_call_evaluation: field('post_call_evaluation'),
  post_call_schema: ({ post_call_schema }) => JSON.stringify(post_call_schema),
  end_call_description: ({ end_call_tool }) => end_call_tool?.description || null,
  is_webhook_active: field('is_webhook_active'),
  webhook_url: ({ webhook_url }) => webhook_url ?? null,
  inbound_webhook_url: () => null,
  send_webhook_only_on_completed: field('send_webhook_only_on_completed'),
  include_recording_in_webhook: field('include_recording_in_webhook'),
  llm_temperature: field('llm_temperature'),
  voice_stability: field('voice_stability'),
  voice_similarity: field('voice_similarity'),
  speech_speed: field('speech_speed'),
  allow_interruptions: field('allow_interruptions'),
  filler_audios: field('filler_audios'),
  filler_config: () => FILLERS,
  record_call: field('record_call'),
  noise_cancellation: field('noise_cancellation'),
  wait_for_customer: ({ who_speaks_first }) => who_speaks_first === 'Customer',
  max_call_duration: field('max_call_duration'),
  max_silence_duration: field('max_silence_duration'),
  reengagement_interval: field('re_engagement_interval'),
  end_call_on_voicemail: field('end_call_on_voicemail'),
  endpoint_type: field('endpoint_type'),
  endpoint_sensitivity: field('endpoint_sensitivity'),
  interrupt_sensitivity: field('interrupt_sensitivity'),
  use_min_interrupt_words: field('use_min_interrupt_words'),
  min_interrupt_words: field('min_interrupt_words'),
  ambient_sound: () => DEFAULTS.ambientSound,
  ambient_sound_volume: field('ambient_sound_volume'),
  widget_settings: () => JSON.stringify(DEFAULTS.widgetSettings),
};
