import type { AssistantType, CallsDirection } from './assistant.types.js';
import type { UpdateAssistantDto } from './dto/assistant-input.dto.js';
import type { Assistant } from './entities/assistant.entity.js';

const TYPE_OF: Record<CallsDirection, AssistantType> = { receive: 'inbound', make: 'outbound' };

/**
 * Maps the fields of a request to columns; absent fields have no column. References by id or name (voice, language,
 * model, number, tools) are resolved elsewhere.
 */
export function toColumns(dto: UpdateAssistantDto): Partial<Assistant> {
  return definedOnly<Partial<Assistant>>({
    name: dto.assistant_name,
    type: dto.calls_direction && TYPE_OF[dto.calls_direction],
    mode: dto.engine_type,
    status: dto.status,
    phoneNumberId: dto.phone_number_id,
    timezone: dto.timezone,
    initialMessage: dto.initial_message,
    systemPrompt: dto.system_prompt,
    variables: dto.variables,
    postCallEvaluation: dto.post_call_evaluation,
    postCallSchema: dto.post_call_schema?.map(({ name, type, description }) => ({ name, type, description })),
    endCallDescription: endCallDescription(dto),
    isWebhookActive: isWebhookActive(dto),
    webhookUrl: dto.webhook_url,
    sendWebhookOnlyOnCompleted: dto.send_webhook_only_on_completed,
    includeRecordingInWebhook: dto.include_recording_in_webhook,
    llmTemperature: dto.llm_temperature,
    voiceStability: dto.voice_stability,
    voiceSimilarity: dto.voice_similarity,
    speechSpeed: dto.speech_speed,
    allowInterruptions: dto.allow_interruptions,
    fillerAudios: dto.filler_audios,
    recordCall: dto.record_call,
    noiseCancellation: dto.noise_cancellation,
    waitForCustomer: dto.who_speaks_first && dto.who_speaks_first === 'Customer',
    maxCallDuration: dto.max_call_duration,
    maxSilenceDuration: dto.max_silence_duration,
    reengagementInterval: dto.re_engagement_interval,
    endCallOnVoicemail: dto.end_call_on_voicemail,
    endpointType: dto.endpoint_type,
    endpointSensitivity: dto.endpoint_sensitivity,
    interruptSensitivity: dto.interrupt_sensitivity,
    useMinInterruptWords: dto.use_min_interrupt_words,
    minInterruptWords: dto.min_interrupt_words,
    ambientSoundVolume: dto.ambient_sound_volume,
  });
}

/** Accepts both spellings; an empty text removes the description. */
function endCallDescription(dto: UpdateAssistantDto): string | null | undefined {
  const description = dto.end_call_tool?.description ?? dto['end_call_tool.description'];
  return description === '' ? null : description;
}

/** Removing the URL also disables the webhook. */
function isWebhookActive({ webhook_url, is_webhook_active }: UpdateAssistantDto): boolean | undefined {
  return webhook_url === null ? (is_webhook_active ?? false) : is_webhook_active;
}

function definedOnly<T extends object>(columns: T): T {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as T;
}
