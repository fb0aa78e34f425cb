import { ASSISTANT_MODES, MODEL_WARNINGS, type AssistantMode, type ModelWarning } from '../catalog.types.js';
import { ApiProperty } from '@nestjs/swagger';
import type { LanguageModelEntry, Language, SpeechProvider, Voice } from '../entities/catalog.entities.js';

/** Absent without a warning. */
class RetirementResponse {
  @ApiProperty({ required: false, format: 'date', description: 'The day on which its provider ends it.' })
  retires_on?: string;
  @ApiProperty({ required: false, description: 'Name of what is used from that day on.' })
  replaced_by?: string;
}

const toRetirement = (
  { retiresOn, replacedById }: Pick<Voice, 'retiresOn' | 'replacedById'>,
  others: readonly { id: number; name: string }[],
): RetirementResponse => {
  const successor = others.find(({ id }) => id === replacedById);
  return {
    ...(retiresOn !== null && { retires_on: retiresOn }),
    ...(successor && { replaced_by: successor.name }),
  };
};

export class LanguageModelResponse extends RetirementResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'The value of `llm_model`.', example: 'gpt-6-luna' }) name: string;
  @ApiProperty({ required: false, description: 'Of a multimodal model: its name at its provider.' })
  code?: string;
  @ApiProperty({
    required: false,
    enum: MODEL_WARNINGS,
    description:
      '`missing`: its endpoint does not list it; `retiring`: it ends within 60 days; `retired`: it has ended.',
  })
  warning?: ModelWarning;
}

export const toLanguageModelResponse = (
  model: LanguageModelEntry,
  others: readonly LanguageModelEntry[],
): LanguageModelResponse => ({
  id: model.id,
  name: model.name,
  ...(model.mode === 'multimodal' && { code: model.code ?? model.name }),
  ...toRetirement(model, others),
  ...(model.warning !== null && { warning: model.warning }),
});

export class LanguageResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'The value of `language`.', example: 'English' }) name: string;
  @ApiProperty({ description: 'ISO 639-1.', example: 'en' }) iso_2: string;
}

export const toLanguageResponse = ({ id, name, iso2 }: Language): LanguageResponse => ({
  id,
  name,
  iso_2: iso2,
});

export class ProviderResponse extends RetirementResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'Deepgram' }) name: string;
  @ApiProperty({ description: 'Its model.', example: 'nova-3' }) code: string;
}

export const toProviderResponse = (
  provider: SpeechProvider,
  others: readonly SpeechProvider[],
): ProviderResponse => ({
  id: provider.id,
  name: provider.name,
  code: provider.code,
  ...toRetirement(provider, others),
});

export class VoiceResponse extends RetirementResponse {
  @ApiProperty({ type: 'integer', description: 'The value of `voice_id`.' }) id: number;
  @ApiProperty({ example: 'Rachel' }) name: string;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: speaks every language.' })
  language_id: number | null;
  @ApiProperty({ example: 'female' }) gender: string;
  @ApiProperty({ type: String, nullable: true, example: 'American' }) accent: string | null;
  @ApiProperty({ type: String, nullable: true }) preview_url: string | null;
}

export const toVoiceResponse = (voice: Voice, others: readonly Voice[]): VoiceResponse => ({
  id: voice.id,
  name: voice.name,
  mode: voice.mode,
  language_id: voice.languageId,
  gender: voice.gender,
  accent: voice.accent,
  preview_url: voice.previewUrl,
  ...toRetirement(voice, others),
});
