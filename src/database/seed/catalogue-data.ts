export interface LanguageSeed {
  id: number;
  name: string;
  /** ISO 639-1 */
  iso_2: string;
  /** BCP 47, for carriers and speech providers. */
  tag: string;
}

const rows: [number, string, string, string][] = [
  [1, 'English', 'en', 'en-US'],
  [2, 'English (UK)', 'en', 'en-GB'],
  [3, 'German', 'de', 'de-DE'],
  [4, 'French', 'fr', 'fr-FR'],
  [5, 'Spanish', 'es', 'es-ES'],
  [6, 'Spanish (Mexico)', 'es', 'es-MX'],
  [7, 'Italian', 'it', 'it-IT'],
  [8, 'Portuguese', 'pt', 'pt-PT'],
  [9, 'Portuguese (Brazil)', 'pt', 'pt-BR'],
  [10, 'Dutch', 'nl', 'nl-NL'],
  [11, 'Polish', 'pl', 'pl-PL'],
  [12, 'Turkish', 'tr', 'tr-TR'],
  [13, 'Swedish', 'sv', 'sv-SE'],
  [14, 'Danish', 'da', 'da-DK'],
  [15, 'Norwegian', 'no', 'nb-NO'],
  [16, 'Finnish', 'fi', 'fi-FI'],
  [17, 'Czech', 'cs', 'cs-CZ'],
  [18, 'Slovak', 'sk', 'sk-SK'],
  [19, 'Hungarian', 'hu', 'hu-HU'],
  [20, 'Romanian', 'ro', 'ro-RO'],
  [21, 'Bulgarian', 'bg', 'bg-BG'],
  [22, 'Greek', 'el', 'el-GR'],
  [23, 'Ukrainian', 'uk', 'uk-UA'],
  [24, 'Russian', 'ru', 'ru-RU'],
  [25, 'Arabic', 'ar', 'ar-SA'],
  [26, 'Hebrew', 'he', 'he-IL'],
  [27, 'Hindi', 'hi', 'hi-IN'],
  [28, 'Indonesian', 'id', 'id-ID'],
  [29, 'Vietnamese', 'vi', 'vi-VN'],
  [30, 'Japanese', 'ja', 'ja-JP'],
  [31, 'Korean', 'ko', 'ko-KR'],
  [32, 'Chinese (Mandarin)', 'zh', 'zh-CN'],
  [33, 'Catalan', 'ca', 'ca-ES'],
  [34, 'Croatian', 'hr', 'hr-HR'],
  [35, 'French (Canada)', 'fr', 'fr-CA'],
  [36, 'English (Australia)', 'en', 'en-AU'],
];

export const LANGUAGES: LanguageSeed[] = rows.map(([id, name, iso_2, tag]) => ({ id, name, iso_2, tag }));

export interface VoiceSeed {
  id: number;
  name: string;
  mode: 'pipeline' | 'multimodal';
  /** Null: speaks every language. */
  language_id: number | null;
  gender: string;
  accent: string | null;
  provider: string;
  provider_voice: string;
}

type Row = [number, string, number | null, string, string | null, string, string];

/** Voices of a multilingual model: they speak every language. */
const multilingual: Row[] = [
  [1, 'Rachel', null, 'female', 'American', 'ElevenLabs', '21m00Tcm4TlvDq8ikWAM'],
  [2, 'Sarah', null, 'female', 'American', 'ElevenLabs', 'EXAVITQu4vr4xnSDxMaL'],
  [3, 'Adam', null, 'male', 'American', 'ElevenLabs', 'pNInz6obpgDQGcFmaJgB'],
  [4, 'Antoni', null, 'male', 'American', 'ElevenLabs', 'ErXwobaYiN019PkySvjV'],
  [5, 'Charlotte', null, 'female', 'Swedish', 'ElevenLabs', 'XB0fDUnXU5powFXDhCwa'],
  [6, 'George', null, 'male', 'British', 'ElevenLabs', 'JBFqnCBsd6RMkjVDRZzb'],
];

const single: Row[] = [
  [20, 'Joanna', 1, 'female', 'American', 'Amazon', 'Joanna-Neural'],
  [21, 'Matthew', 1, 'male', 'American', 'Amazon', 'Matthew-Neural'],
  [22, 'Amy', 2, 'female', 'British', 'Amazon', 'Amy-Neural'],
  [23, 'Brian', 2, 'male', 'British', 'Amazon', 'Brian-Neural'],
  [24, 'Vicki', 3, 'female', null, 'Amazon', 'Vicki-Neural'],
  [25, 'Daniel', 3, 'male', null, 'Amazon', 'Daniel-Neural'],
  [26, 'Léa', 4, 'female', null, 'Amazon', 'Lea-Neural'],
  [27, 'Rémi', 4, 'male', null, 'Amazon', 'Remi-Neural'],
  [28, 'Lucia', 5, 'female', null, 'Amazon', 'Lucia-Neural'],
  [29, 'Sergio', 5, 'male', null, 'Amazon', 'Sergio-Neural'],
  [30, 'Mia', 6, 'female', null, 'Amazon', 'Mia-Neural'],
  [31, 'Bianca', 7, 'female', null, 'Amazon', 'Bianca-Neural'],
  [32, 'Inês', 8, 'female', null, 'Amazon', 'Ines-Neural'],
  [33, 'Camila', 9, 'female', null, 'Amazon', 'Camila-Neural'],
  [34, 'Laura', 10, 'female', null, 'Amazon', 'Laura-Neural'],
  [35, 'Ola', 11, 'female', null, 'Amazon', 'Ola-Neural'],
  [36, 'Burcu', 12, 'female', null, 'Amazon', 'Burcu-Neural'],
  [37, 'Elin', 13, 'female', null, 'Amazon', 'Elin-Neural'],
  [38, 'Sofie', 14, 'female', null, 'Amazon', 'Sofie-Neural'],
  [39, 'Ida', 15, 'female', null, 'Amazon', 'Ida-Neural'],
  [40, 'Suvi', 16, 'female', null, 'Amazon', 'Suvi-Neural'],
  [41, 'Jitka', 17, 'female', null, 'Amazon', 'Jitka-Neural'],
  [42, 'Hala', 25, 'female', null, 'Amazon', 'Hala-Neural'],
  [43, 'Kajal', 27, 'female', null, 'Amazon', 'Kajal-Neural'],
  [44, 'Takumi', 30, 'male', null, 'Amazon', 'Takumi-Neural'],
  [45, 'Seoyeon', 31, 'female', null, 'Amazon', 'Seoyeon-Neural'],
  [46, 'Zhiyu', 32, 'female', null, 'Amazon', 'Zhiyu-Neural'],
  [47, 'Olivia', 36, 'female', 'Australian', 'Amazon', 'Olivia-Neural'],
  [48, 'Gabrielle', 35, 'female', 'Canadian', 'Amazon', 'Gabrielle-Neural'],
];

const multimodal: Row[] = [
  [70, 'Alloy', null, 'neutral', null, 'OpenAI', 'alloy'],
  [71, 'Ash', null, 'male', null, 'OpenAI', 'ash'],
  [72, 'Coral', null, 'female', null, 'OpenAI', 'coral'],
  [73, 'Sage', null, 'female', null, 'OpenAI', 'sage'],
  [74, 'Verse', null, 'male', null, 'OpenAI', 'verse'],
  [75, 'Marin', null, 'female', null, 'OpenAI', 'marin'],
  [76, 'Cedar', null, 'male', null, 'OpenAI', 'cedar'],
];

const toVoice =
  (mode: VoiceSeed['mode']) =>
  ([id, name, language_id, gender, accent, provider, provider_voice]: Row): VoiceSeed => ({
    id,
    name,
    mode,
    language_id,
    gender,
    accent,
    provider,
    provider_voice,
  });

export const VOICES: VoiceSeed[] = [
  ...[...multilingual, ...single].map(toVoice('pipeline')),
  ...multimodal.map(toVoice('multimodal')),
];

const openAi = {
  takes_temperature: true,
  output_limit_field: 'max_completion_tokens',
  reasoning_effort: null,
};
const compatible = { ...openAi, output_limit_field: 'max_tokens' };
const reasoning = { ...openAi, takes_temperature: false, reasoning_effort: 'minimal' };

/**
 * `name` is what a client sends as `llm_model` and, without a `code`, what goes to the endpoint. `endpoint` and `code`
 * are the operator's. `fallback_model_id`: asked when the model is late or fails, and instead of a multimodal model
 * where text is wanted.
 */
export const LANGUAGE_MODELS = [
  { id: 1, name: 'gpt-4.1-mini', mode: 'pipeline', ...openAi, fallback_model_id: 5 },
  { id: 2, name: 'gpt-4.1', mode: 'pipeline', ...openAi, fallback_model_id: 1 },
  { id: 3, name: 'gpt-4.1-nano', mode: 'pipeline', ...openAi, fallback_model_id: 5 },
  { id: 4, name: 'gpt-4o', mode: 'pipeline', ...openAi, fallback_model_id: 1 },
  { id: 5, name: 'gpt-4o-mini', mode: 'pipeline', ...openAi, fallback_model_id: 1 },
  { id: 6, name: 'gpt-5-mini', mode: 'pipeline', ...reasoning, fallback_model_id: 1 },
  { id: 7, name: 'llama-3.3-70b-versatile', mode: 'pipeline', ...compatible, fallback_model_id: 1 },
  { id: 8, name: 'mistral-small-latest', mode: 'pipeline', ...compatible, fallback_model_id: 1 },
  { id: 9, name: 'gpt-realtime', mode: 'multimodal', ...openAi, fallback_model_id: 2 },
  { id: 10, name: 'gpt-realtime-mini', mode: 'multimodal', ...openAi, fallback_model_id: 1 },
];

/**
 * `code` is the model at the provider. An `endpoint` is one of `SPEECH_ENDPOINTS`; null: that of the language model.
 * `default_voice` speaks for assistants whose voice is another provider's.
 */
export const SPEECH_PROVIDERS = [
  {
    id: 1,
    name: 'OpenAI',
    kind: 'synthesizer',
    adapter: 'openai',
    code: 'gpt-4o-mini-tts',
    endpoint: null,
    default_voice: 'alloy',
  },
  {
    id: 2,
    name: 'OpenAI',
    kind: 'transcriber',
    adapter: 'openai',
    code: 'gpt-4o-mini-transcribe',
    endpoint: null,
    default_voice: null,
  },
  {
    id: 3,
    name: 'Deepgram',
    kind: 'transcriber',
    adapter: 'deepgram',
    code: 'nova-3',
    endpoint: 'deepgram',
    default_voice: null,
  },
];

/** `unlimited` has no limits but those of the machine. */
export const PLANS = [
  {
    name: 'free',
    max_tools: 5,
    max_assistants: 1000,
    max_campaigns: 5,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 2,
    price_per_minute_micros: 0,
  },
  {
    name: 'standard',
    max_tools: 50,
    max_assistants: 1000,
    max_campaigns: 100,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 10,
    price_per_minute_micros: 50_000,
  },
  {
    name: 'unlimited',
    max_tools: 1000,
    max_assistants: 1_000_000,
    max_campaigns: 10_000,
    max_leads_per_campaign: 100_000_000,
    max_parallel_calls: 1000,
    price_per_minute_micros: 20_000,
  },
];
