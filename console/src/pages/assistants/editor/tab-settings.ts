import type { AssistantValues } from '../assistant-values';
import type { TrialLead } from '../use-lead';
import type { AssistantForm } from './setting-field';

export type Name = keyof AssistantValues;

export interface TabProps {
  form: AssistantForm;
  lead: TrialLead;
}

export const VOICE_DETAILS: Name[] = ['speech_speed', 'voice_stability', 'voice_similarity'];
export const SOUND: Name[] = ['ambient_sound', 'ambient_sound_volume', 'enable_noise_cancellation'];
export const CONVERSATION: Name[] = [
  'wait_for_customer',
  'endpoint_type',
  'endpoint_sensitivity',
  'allow_interruptions',
  'interrupt_sensitivity',
  'min_interrupt_words',
  'fillers',
  'reengagement_interval',
  'reengagement_prompt',
];
export const CALL: Name[] = [
  'caller_id_lookup',
  'ringing_time',
  'max_duration',
  'max_silence_duration',
  'max_initial_silence_duration',
  'end_call_on_voicemail',
  'voice_mail_message',
  'record',
  'redaction',
];
export const WEBHOOKS: Name[] = [
  'is_webhook_active',
  'webhook_url',
  'send_webhook_only_on_completed',
  'include_recording_in_webhook',
  'inbound_webhook_url',
  'conversation_ended_webhook_url',
  'conversation_inactivity_timeout',
];

export const PROVIDERS: Name[] = ['synthesizer_provider_id', 'transcriber_provider_id', 'fallback_voice_ids'];
