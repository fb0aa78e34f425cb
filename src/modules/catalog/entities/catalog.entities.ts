import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type {
  AssistantMode,
  ModelWarning,
  ReasoningEffort,
  SpeechAdapter,
  SpeechKind,
} from '../catalog.types.js';

const WARNING_CHECK = "(warning = ANY (ARRAY['missing'::text, 'retiring'::text, 'retired'::text]))";

/** Columns that the operator and releases change. */
abstract class CatalogueRow {
  @PrimaryColumn({ type: 'int' })
  id: number;

  /** `YYYY-MM-DD`: from this day on the row in `replacedById` is used. */
  @Column({ type: 'date', nullable: true })
  retiresOn: string | null;

  /** Values of the last start, by column: different ones were set by the operator. Null: the row is the operator's. */
  @Column({ type: 'jsonb', nullable: true })
  seeded: Record<string, unknown> | null;
}

@Entity('languages')
export class Language {
  @PrimaryColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text', unique: true })
  name: string;

  /** ISO 639-1 */
  @Column({ name: 'iso_2', type: 'char', length: 2 })
  iso2: string;

  /** BCP 47, as carriers and speech providers ask for it. */
  @Column({ type: 'text' })
  tag: string;
}

@Entity('language_models')
@Check('language_models_mode_check', "(mode = ANY (ARRAY['pipeline'::text, 'multimodal'::text]))")
@Check(
  'language_models_output_limit_field_check',
  "(output_limit_field = ANY (ARRAY['max_tokens'::text, 'max_completion_tokens'::text]))",
)
@Check(
  'language_models_reasoning_effort_check',
  "(reasoning_effort = ANY (ARRAY['none'::text, 'minimal'::text, 'low'::text, 'medium'::text, 'high'::text, 'xhigh'::text, 'max'::text]))",
)
@Check('language_models_warning_check', WARNING_CHECK)
export class LanguageModelEntry extends CatalogueRow {
  @Column({ type: 'text', unique: true })
  name: string;

  @Column({ type: 'text' })
  mode: AssistantMode;

  /** The `model` of a request to the endpoint; null: `name`. */
  @Column({ type: 'text', nullable: true })
  code: string | null;

  /** One of `LLM_ENDPOINTS`; null: the default endpoint. */
  @Column({ type: 'text', nullable: true })
  endpoint: string | null;

  /** Reasoning models refuse every temperature but 1. */
  @Column({ type: 'boolean', default: true })
  takesTemperature: boolean;

  @Column({ type: 'text', default: 'max_tokens' })
  outputLimitField: 'max_tokens' | 'max_completion_tokens';

  /** Sent as `reasoning_effort`; null for models that do not reason. */
  @Column({ type: 'text', nullable: true })
  reasoningEffort: ReasoningEffort | null;

  /** Of a realtime model: the model that transcribes the customer. */
  @Column({ type: 'text', nullable: true })
  transcriptionModel: string | null;

  /** Used when this model is late or fails, and instead of a multimodal one for text. */
  @ForeignKey('language_models')
  @Column({ type: 'int', nullable: true })
  fallbackModelId: number | null;

  @ForeignKey('language_models')
  @Column({ type: 'int', nullable: true })
  replacedById: number | null;

  /** Prices, context and the like, for people only. */
  @Column({ type: 'jsonb', default: {} })
  facts: Record<string, unknown>;

  /** Warning of the last check of its endpoint; null: none. */
  @Column({ type: 'text', nullable: true })
  warning: ModelWarning | null;
}

@Entity('voices')
@Check('voices_mode_check', "(mode = ANY (ARRAY['pipeline'::text, 'multimodal'::text]))")
export class Voice extends CatalogueRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: AssistantMode;

  /** Null: speaks every language. */
  @ForeignKey('languages')
  @Column({ type: 'int', nullable: true })
  languageId: number | null;

  @Column({ type: 'text' })
  gender: string;

  @Column({ type: 'text', nullable: true })
  accent: string | null;

  @Column({ type: 'text', nullable: true })
  previewUrl: string | null;

  @Column({ type: 'text' })
  provider: string;

  /** The voice's name at its provider. */
  @Column({ type: 'text' })
  providerVoice: string;

  @ForeignKey('voices')
  @Column({ type: 'int', nullable: true })
  replacedById: number | null;
}

@Entity('speech_providers')
@Check('speech_providers_kind_check', "(kind = ANY (ARRAY['synthesizer'::text, 'transcriber'::text]))")
@Check(
  'speech_providers_adapter_check',
  "(adapter = ANY (ARRAY['openai'::text, 'deepgram'::text, 'deepgram-flux'::text, 'elevenlabs'::text, 'cartesia'::text]))",
)
@Check('speech_providers_warning_check', WARNING_CHECK)
export class SpeechProvider extends CatalogueRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  kind: SpeechKind;

  /** The interface that it has. */
  @Column({ type: 'text' })
  adapter: SpeechAdapter;

  /** The model at the provider. */
  @Column({ type: 'text' })
  code: string;

  /** One of `SPEECH_ENDPOINTS`; null: the default endpoint of language models. */
  @Column({ type: 'text', nullable: true })
  endpoint: string | null;

  /** Of a synthesizer: speaks for assistants whose voice is another provider's. */
  @Column({ type: 'text', nullable: true })
  defaultVoice: string | null;

  /** Takes its place in calls in which it has failed; of the same kind. */
  @ForeignKey('speech_providers')
  @Column({ type: 'int', nullable: true })
  fallbackProviderId: number | null;

  @ForeignKey('speech_providers')
  @Column({ type: 'int', nullable: true })
  replacedById: number | null;

  /** Prices, languages and the like, for people only. */
  @Column({ type: 'jsonb', default: {} })
  facts: Record<string, unknown>;

  /** Warning of the last check of its endpoint; null: none. */
  @Column({ type: 'text', nullable: true })
  warning: ModelWarning | null;
}
