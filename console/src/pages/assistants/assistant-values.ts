import type { Schemas } from '#console/api/client';

export type Assistant = Schemas['AssistantResponse'];
type ToolOrBuiltIn = Assistant['tools'][number];
type BuiltIn = Schemas['BuiltInTool'];

/** What the editor changes, by the names that answers and requests have in common. */
export type AssistantValues = ReturnType<typeof valuesOf>;

/** Fields by the names that the API's messages have for them. */
export const NAMES_IN_ERRORS = { assistant_name: 'name' };

const isBuiltIn = (tool: ToolOrBuiltIn): tool is BuiltIn => 'type' in tool;

export function valuesOf(stored: Assistant) {
  return {
    name: stored.name,
    status: stored.status,
    type: stored.type,
    initial_message: stored.initial_message,
    system_prompt: stored.system_prompt,
    variables: stored.variables,

    mode: stored.mode,
    language_id: stored.language_id,
    voice_id: stored.voice_id,
    llm_model_id: stored.llm_model_id,
    llm_fallback_model: stored.llm_fallback_model,
    llm_temperature: Number(stored.llm_temperature),
    speech_speed: Number(stored.speech_speed),
    voice_stability: Number(stored.voice_stability),
    voice_similarity: Number(stored.voice_similarity),
    fallback_voice_ids: stored.fallback_voice_ids,
    synthesizer_provider_id: stored.synthesizer_provider_id,
    transcriber_provider_id: stored.transcriber_provider_id,
    ambient_sound: stored.ambient_sound,
    ambient_sound_volume: Number(stored.ambient_sound_volume),
    enable_noise_cancellation: stored.enable_noise_cancellation,

    wait_for_customer: stored.wait_for_customer,
    endpoint_type: stored.endpoint_type,
    endpoint_sensitivity: stored.endpoint_sensitivity,
    allow_interruptions: stored.allow_interruptions,
    interrupt_sensitivity: stored.interrupt_sensitivity,
    min_interrupt_words: stored.min_interrupt_words,
    fillers: stored.fillers === 1,
    filler_config: stored.filler_config,
    reengagement_interval: stored.reengagement_interval,
    reengagement_prompt: stored.reengagement_prompt,

    phone_number_id: stored.phone_number_id,
    timezone: stored.timezone,
    caller_id_lookup: stored.caller_id_lookup,
    ringing_time: stored.ringing_time,
    max_duration: stored.max_duration,
    max_silence_duration: stored.max_silence_duration,
    max_initial_silence_duration: stored.max_initial_silence_duration,
    end_call_on_voicemail: stored.end_call_on_voicemail === 1,
    voice_mail_message: stored.voice_mail_message,
    redaction: stored.redaction,
    record: stored.record,

    tool_ids: stored.tools.flatMap((tool) => (isBuiltIn(tool) ? [] : [tool.id])),
    tools: stored.tools.filter(isBuiltIn),
    end_call_tool: stored.end_call_tool ?? null,
    transfer_numbers: stored.transfer_numbers,
    knowledgebase_id: stored.knowledgebase_id,
    knowledgebase_mode: stored.knowledgebase_mode,

    post_call_evaluation: stored.post_call_evaluation,
    post_call_schema: stored.post_call_schema,
    is_webhook_active: stored.is_webhook_active,
    webhook_url: stored.webhook_url,
    send_webhook_only_on_completed: stored.send_webhook_only_on_completed,
    include_recording_in_webhook: stored.include_recording_in_webhook,
    inbound_webhook_url: stored.inbound_webhook_url,
    conversation_ended_webhook_url: stored.conversation_ended_webhook_url,
    conversation_inactivity_timeout: stored.conversation_inactivity_timeout,

    retention: stored.retention ?? null,

    folder_id: stored.folder_id,
    label_ids: stored.label_ids,
  };
}

/** As requests write it. The API does not show whether the number of words counts: any but 0 does. */
export const requestOf = (changed: Partial<AssistantValues>): Schemas['UpdateAssistantDto'] => ({
  ...changed,
  ...(changed.min_interrupt_words !== undefined && {
    use_min_interrupt_words: changed.min_interrupt_words > 0,
  }),
});

/** The same assistant under another name. An inbound one leaves its number with the first. */
export const copyOf = (stored: Assistant, name: string): Schemas['CreateAssistantDto'] => {
  const { status: _, phone_number_id, ...values } = valuesOf(stored);
  return {
    ...requestOf(values),
    name,
    phone_number_id: stored.type === 'inbound' ? null : phone_number_id,
    widget_settings: stored.widget_settings,
  } as unknown as Schemas['CreateAssistantDto'];
};
