import { toIsoMicros } from '#src/common/time/time.js';
import type { Catalogue } from './catalogue.js';
import type { toTool } from './tools.js';

/** A row of `assistants`, with the ids of its tools. */
export interface AssistantRow {
  id: number;
  uuid: string;
  account_id: number;
  name: string;
  type: string;
  mode: string;
  status: string;
  phone_number_id: number | null;
  folder_id: number | null;
  caller_id_lookup: string;
  fallback_voice_ids: number[];
  voice_id: number;
  language_id: number;
  llm_model_id: number;
  timezone: string;
  initial_message: string;
  system_prompt: string;
  variables: object;
  post_call_evaluation: boolean;
  post_call_schema: object[];
  end_call_description: string | null;
  is_webhook_active: boolean;
  webhook_url: string | null;
  inbound_webhook_url: string | null;
  conversation_ended_webhook_url: string | null;
  conversation_inactivity_timeout: number;
  send_webhook_only_on_completed: boolean;
  include_recording_in_webhook: boolean;
  llm_temperature: number;
  voice_stability: number;
  voice_similarity: number;
  speech_speed: number;
  allow_interruptions: boolean;
  filler_audios: boolean;
  filler_config: object;
  record_call: boolean;
  noise_cancellation: boolean;
  wait_for_customer: boolean;
  max_call_duration: number;
  max_silence_duration: number;
  reengagement_interval: number;
  end_call_on_voicemail: boolean;
  endpoint_type: string;
  endpoint_sensitivity: number;
  interrupt_sensitivity: number;
  min_interrupt_words: number;
  ambient_sound: string;
  ambient_sound_volume: number;
  widget_settings: object;
  reengagement_prompt: string | null;
  ringing_time: number | null;
  max_initial_silence_duration: number | null;
  voice_mail_message: string | null;
  transfer_numbers: object[];
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  tool_ids: number[];
  label_ids: number[];
}

export const toAssistant = (
  row: AssistantRow,
  catalogue: Catalogue,
  toolById: ReadonlyMap<number, ReturnType<typeof toTool>>,
) => ({
  id: row.id,
  user_id: row.account_id,
  phone_number_id: row.phone_number_id,
  folder_id: row.folder_id,
  label_ids: row.label_ids,
  caller_id_lookup: row.caller_id_lookup,
  fallback_voice_ids: row.fallback_voice_ids,
  engine_id: null,
  synthesizer_id: null,
  transcriber_id: null,
  voice_id: row.voice_id,
  instance_id: 1,
  name: row.name,
  variables: row.variables,
  post_call_evaluation: row.post_call_evaluation,
  fillers: Number(row.filler_audios),
  post_call_schema: row.post_call_schema,
  end_call_tool: row.end_call_description === null ? null : { description: row.end_call_description },
  tools: row.tool_ids.map((id) => toolById.get(id)),
  is_webhook_active: row.is_webhook_active,
  webhook_url: row.webhook_url,
  inbound_webhook_url: row.inbound_webhook_url,
  conversation_ended_webhook_url: row.conversation_ended_webhook_url,
  conversation_inactivity_timeout: row.conversation_inactivity_timeout,
  language: catalogue.languageNames.get(row.language_id) ?? null,
  type: row.type,
  status: row.status,
  max_duration: row.max_call_duration,
  record: row.record_call,
  initial_message: row.initial_message,
  system_prompt: row.system_prompt,
  flows_platform_id: null,
  timezone: row.timezone,
  created_at: toIsoMicros(row.created_at),
  updated_at: toIsoMicros(row.updated_at),
  max_silence_duration: row.max_silence_duration,
  reengagement_interval: row.reengagement_interval,
  deleted_at: null,
  end_call_on_voicemail: Number(row.end_call_on_voicemail),
  llm_temperature: row.llm_temperature.toFixed(2),
  voice_stability: row.voice_stability.toFixed(2),
  voice_similarity: row.voice_similarity.toFixed(2),
  allow_interruptions: row.allow_interruptions,
  enable_noise_cancellation: row.noise_cancellation,
  endpoint_sensitivity: row.endpoint_sensitivity,
  speech_speed: row.speech_speed.toFixed(2),
  endpoint_type: row.endpoint_type,
  wait_for_customer: row.wait_for_customer,
  mode: row.mode,
  language_id: row.language_id,
  transcriber_provider_id: null,
  synthesizer_provider_id: null,
  llm_model_id: row.llm_model_id,
  multimodal_model_id: catalogue.multimodalIds.has(row.llm_model_id) ? row.llm_model_id : null,
  ambient_sound: row.ambient_sound,
  uuid: row.uuid,
  send_webhook_only_on_completed: row.send_webhook_only_on_completed,
  include_recording_in_webhook: row.include_recording_in_webhook,
  interrupt_sensitivity: row.interrupt_sensitivity,
  filler_config: row.filler_config,
  knowledgebase_id: null,
  knowledgebase_mode: 'none',
  min_interrupt_words: row.min_interrupt_words,
  ambient_sound_volume: row.ambient_sound_volume.toFixed(2),
  widget_settings: row.widget_settings,
  llm_fallback_model: null,
  reengagement_prompt: row.reengagement_prompt,
  ringing_time: row.ringing_time ?? 30,
  max_initial_silence_duration: row.max_initial_silence_duration,
  voice_mail_message: row.voice_mail_message,
  transfer_numbers: row.transfer_numbers,
});
