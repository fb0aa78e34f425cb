import type { ASSISTANT_SETTINGS } from './assistant-settings.js';

/** The effect of a setting in a call; `npm run docs:settings` writes it to docs/use/assistant-settings.md. */
interface SettingEffect {
  pipeline: string;
  /** Without it: the same. */
  multimodal?: string;
}

const AFTER_THE_CALL = 'None on the call; see docs/use/webhooks.md.';

/** A setting without its effect does not compile. */
export const SETTING_EFFECTS: Record<
  keyof typeof ASSISTANT_SETTINGS | 'tool_ids' | 'label_ids',
  SettingEffect
> = {
  assistant_name: { pipeline: 'Fills `{{assistant_name}}` in texts; stands in the records of its calls.' },
  voice_id: {
    pipeline:
      'The voice at its provider. A voice that does not speak the language is replaced by the default voice of the ' +
      'language, a voice of another company than the speech provider by that of the provider; `voice_id` is in ' +
      '`settings_not_applied`. A voice of several languages can change between them.',
    multimodal:
      "The model's voice, which speaks every language. Voices of other models are replaced by its default voice, and " +
      '`voice_id` is in `settings_not_applied`.',
  },
  language: {
    pipeline:
      'Language of voice, transcription, disclosures, fillers and built-in phrases, until the customer asks for ' +
      'another one that the voice speaks.',
    multimodal:
      'Language of the model, of transcription, disclosures, fillers and built-in phrases, until the customer asks for ' +
      'another one of the catalogue.',
  },
  llm_model: {
    pipeline: 'The model that answers and that evaluates the call.',
    multimodal:
      'The model that hears, answers and speaks. What needs text (the evaluation, a call that goes on in pipeline mode) is ' +
      'done by the model that the catalogue names in its place.',
  },
  llm_fallback_model: {
    pipeline: 'The model that is asked too when `llm_model` is late or fails; null: that of the catalogue.',
    multimodal: 'None, unless the call goes on in pipeline mode.',
  },
  calls_direction: {
    pipeline: '`receive`: answers calls to its number; `make`: is used for outbound calls.',
  },
  engine_type: {
    pipeline: 'Speech to text, a text model and text to speech in a row.',
    multimodal:
      'One model that hears and speaks, over the audio of the call. The call is held in pipeline mode, and `engine_type` ' +
      'is in `settings_not_applied`, with a model that answers in text, and from the moment on at which the model cannot ' +
      'be reached or fails.',
  },
  timezone: { pipeline: 'Of `{{current_date}}` and `{{current_time}}`.' },
  initial_message: {
    pipeline: 'Spoken when the call starts, after disclosures; not if the customer speaks first.',
    multimodal:
      'The same; the disclosures come before it in a voice of the carrier, also if the customer speaks first.',
  },
  system_prompt: { pipeline: 'Instruction of the model.' },
  phone_number_id: {
    pipeline: 'Inbound: the number that is answered. Outbound: the number that is called from.',
  },
  caller_id_lookup: {
    pipeline:
      'Whether the lead with the number of an inbound call lends its variables: `always`; `attested`, when the network ' +
      'vouches for the number (STIR/SHAKEN attestation A); `never`. What the network says is the variable ' +
      '`caller_attestation`. See docs/run/carrier-input.md.',
  },
  endpoint_type: {
    pipeline:
      '`vad`: silence ends the turn of the customer. `ai`: a model that follows the words does, in the languages ' +
      'that it knows, and Deepgram Flux; in other languages, and with other speech providers, the setting is in ' +
      '`settings_not_applied`.',
    multimodal:
      "`vad`: silence ends the turn of the customer. `ai`: the provider's detection by meaning does.",
  },
  endpoint_sensitivity: {
    pipeline:
      'Silence after which the customer has finished: the value in seconds, at least 0.6. With speech providers it ' +
      'follows the pauses of the customer, from half of that to 2.5 s (or the value, where that is more).',
    multimodal:
      'With `vad` the same, following the pauses of the customer. With `ai` the model waits little up to 0.5, longer below 2, longest above.',
  },
  interrupt_sensitivity: {
    pipeline:
      'Up to 0.5 the customer interrupts easily, below 2 less easily, above hardly. With speech providers: seconds of ' +
      'speech with which the customer interrupts; the first transcribed word does so too.',
    multimodal:
      'Seconds of voice with which the customer interrupts; the first transcribed word does so too. The higher, the ' +
      'louder speech has to be to count as such.',
  },
  ambient_sound: {
    pipeline:
      'With speech providers a sound under the speech of the assistant and in its pauses. The relay cannot mix sounds: ' +
      'there it is in `settings_not_applied` unless `off`.',
    multimodal: 'A sound under the speech of the assistant and in its pauses.',
  },
  ambient_sound_volume: {
    pipeline:
      'With speech providers how loud the sound is. On the relay it is in `settings_not_applied` unless 0.5.',
    multimodal: 'How loud the sound is.',
  },
  post_call_evaluation: { pipeline: 'Whether the model evaluates the call when it has ended.' },
  send_webhook_only_on_completed: { pipeline: AFTER_THE_CALL },
  include_recording_in_webhook: { pipeline: AFTER_THE_CALL },
  is_webhook_active: { pipeline: AFTER_THE_CALL },
  webhook_url: { pipeline: AFTER_THE_CALL },
  inbound_webhook_url: {
    pipeline:
      'Asked for variables before an inbound call is answered, and told about inbound calls. Its own endpoints set it too.',
  },
  conversation_ended_webhook_url: {
    pipeline: 'None on calls: told when a text conversation has ended. Its own endpoints set it too.',
  },
  conversation_inactivity_timeout: {
    pipeline: 'None on calls: minutes after which a text conversation without a message has ended.',
  },
  retention: { pipeline: 'None on the call; see docs/use/retention.md.' },
  redaction: {
    pipeline:
      'Whether card numbers, IBANs, national ids, telephone numbers, e-mail addresses and pressed keys are kept out of ' +
      'what is stored and sent of the conversation (`store`), and of what the language model gets (`model`). Recordings ' +
      'are not altered. See docs/use/redaction.md.',
    multimodal: 'Only `off` and `store`: the model hears the customer.',
  },
  use_min_interrupt_words: { pipeline: 'Whether `min_interrupt_words` counts.' },
  min_interrupt_words: {
    pipeline:
      'Words that it takes to interrupt the assistant; 0 and 1: the first sound does. With speech providers also 0.6 s ' +
      'of voice for each: it continues where they were fewer.',
    multimodal:
      'Words that it takes to interrupt the assistant, or 0.6 s of voice for each of them: it continues where they ' +
      'were fewer. 0 and 1: see `interrupt_sensitivity`.',
  },
  variables: { pipeline: 'Values of `{name}` in the texts, below those of the lead or the request.' },
  post_call_schema: { pipeline: 'What the evaluation finds out.' },
  end_call_tool: { pipeline: 'When the model ends the call.' },
  'end_call_tool.description': { pipeline: 'The same as `end_call_tool`.' },
  llm_temperature: {
    pipeline: 'Temperature of the model; models that reason take none.',
    multimodal: 'Not applied: realtime models take none. In `settings_not_applied`.',
  },
  voice_stability: {
    pipeline: 'ElevenLabs voices only, on the relay and as speech provider; else in `settings_not_applied`.',
    multimodal: 'Not applied. In `settings_not_applied`.',
  },
  voice_similarity: {
    pipeline: 'ElevenLabs voices only, on the relay and as speech provider; else in `settings_not_applied`.',
    multimodal: 'Not applied. In `settings_not_applied`.',
  },
  speech_speed: {
    pipeline:
      'ElevenLabs voices, and speech providers, of Deepgram in English and Spanish; with other voices in ' +
      '`settings_not_applied` unless 1.',
    multimodal: 'Speed of the voice.',
  },
  allow_interruptions: { pipeline: 'Whether the customer can interrupt the assistant.' },
  filler_audios: {
    pipeline: 'Whether a filler is spoken when the model takes longer than 700 ms or a tool runs.',
  },
  filler_config: {
    pipeline:
      'The fillers, by what the customer said last; without it, and after a change of the language, those of the ' +
      'language.',
  },
  re_engagement_interval: { pipeline: 'Silence after which the assistant speaks to the customer again.' },
  reengagement_prompt: {
    pipeline:
      'What the model is asked to do when the customer is silent; null: to ask whether they are still there.',
  },
  ringing_time: { pipeline: 'How long the carrier lets an outbound call ring.' },
  max_call_duration: { pipeline: 'After this time the assistant says goodbye and the call ends.' },
  max_silence_duration: { pipeline: 'Silence of the customer that ends the call.' },
  max_initial_silence_duration: {
    pipeline: 'Silence that ends the call before the customer is heard; null: as `max_silence_duration`.',
  },
  end_call_on_voicemail: {
    pipeline:
      'Whether the call ends when an answering machine or a fax is detected, as soon as its words (or 10 s) show that it ' +
      'is neither call screening nor a menu; if not, it ends 30 s later. Without effect with a `voice_mail_message`.',
  },
  voice_mail_message: {
    pipeline:
      'Spoken once to an answering machine, after its beep, then the call ends. Voices of ElevenLabs are replaced by ' +
      "the language's default voice. Without a message, also when its variables leave nothing: see `end_call_on_voicemail`.",
  },
  transfer_numbers: {
    pipeline:
      'People whom the model can hand the call over to (`transfer_call`), at most three times in a call. The assistant ' +
      'says so and leaves; whoever answers within 20 s has the call until `max_call_duration`. When nobody does, the ' +
      'assistant is back and says so. See docs/use/transfers.md.',
  },
  noise_cancellation: {
    pipeline:
      "Whether the carrier reduces the customer's background noise. With speech providers it is in " +
      '`settings_not_applied` unless off.',
    multimodal: "Whether the model's provider reduces the customer's background noise.",
  },
  record_call: { pipeline: 'Whether the call is recorded, which is said at its start.' },
  who_speaks_first: { pipeline: 'Whether the assistant greets or waits.' },
  widget_settings: {
    pipeline:
      '`enabled` and `allowed_origins`: which web pages may begin conversations and web calls with the assistant; ' +
      '`visitor_variables`, `show_tool_results`, `daily_budget`: what their visitors may set, see and cost ' +
      '(docs/use/web-calls.md). None on other calls; the other keys are stored and shown.',
  },
  fallback_voice_ids: {
    pipeline:
      'With speech providers: when the voice fails or falls silent, the next one of the list says the rest of the ' +
      'sentence and what follows, then the fallback of the provider, then the carrier; see `provider_failures` of the ' +
      'call. Voices of other languages, or without a provider, are passed over.',
    multimodal: 'None, unless the call goes on in pipeline mode.',
  },
  synthesizer_provider_id: {
    pipeline:
      'Who speaks on the phone, over the audio of the call; null: the carrier. Where its endpoint is not set, and from ' +
      'the moment on at which it and all voices in its place, or the transcriber, cannot be reached or fail, the carrier ' +
      'does, and both providers are in `settings_not_applied`.',
    multimodal: 'None, unless the call goes on in pipeline mode.',
  },
  transcriber_provider_id: {
    pipeline:
      'Who transcribes the customer on the phone; null: the carrier. In `settings_not_applied` as ' +
      '`synthesizer_provider_id` is.',
    multimodal: 'None, unless the call goes on in pipeline mode.',
  },
  status: { pipeline: 'An inactive assistant neither calls nor answers.' },
  tools: {
    pipeline:
      '`call_transfer`: a person as in `transfer_numbers`. `end_call`: its description, where `end_call_tool` has none. ' +
      'Every assistant ends calls, and presses keys in outbound ones, also without `end_call` and `dtmf_input`.',
  },
  folder_id: { pipeline: 'None on calls.' },
  knowledgebase_id: { pipeline: 'The documents that the assistant answers from (docs/use/knowledge.md).' },
  knowledgebase_mode: {
    pipeline:
      '`function_call`: the model searches the documents with the function `search_knowledge`, for at most 300 ms; ' +
      '`prompt`: their whole text is at the beginning of the prompt. A base that has more than 8,000 tokens by then is ' +
      'searched.',
    multimodal: 'Only `function_call`.',
  },
  tool_ids: { pipeline: 'The tools that the model may call.' },
  label_ids: { pipeline: 'None on calls.' },
};
