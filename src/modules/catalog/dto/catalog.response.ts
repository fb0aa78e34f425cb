import { ASSISTANT_MODES, type AssistantMode } from '../catalog.types.js';
import { ApiProperty } from '@nestjs/swagger';
import type { LanguageModel, Language, SpeechProvider, Voice } from '../entities/catalog.entities.js';

export class LanguageModelResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'The value of `llm_model`.', example: 'gpt-4.1-mini' }) name: string;
  @ApiProperty({ required: false, description: 'Of a multimodal model: its name at its provider.' })
  code?: string;
}

export const toLanguageModelResponse = ({ id, name, mode, code }: LanguageModel): LanguageModelResponse => ({
  id,
  name,
  ...(mode === 'multimodal' && { code: code ?? name }),
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

export class ProviderResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'Deepgram' }) name: string;
  @ApiProperty({ description: 'Its model.', example: 'nova-3' }) code: string;
}

export const toProviderResponse = ({ id, name, code }: SpeechProvider): ProviderResponse => ({
  id,
  name,
  code,
});

export class VoiceResponse {
  @ApiProperty({ type: 'integer', description: 'The value of `voice_id`.' }) id: number;
  @ApiProperty({ example: 'Rachel' }) name: string;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: speaks every language.' })
  language_id: number | null;
  @ApiProperty({ example: 'female' }) gender: string;
  @ApiProperty({ type: String, nullable: true, example: 'American' }) accent: string | null;
  @ApiProperty({ type: String, nullable: true }) preview_url: string | null;
}

export const toVoiceResponse = (voice: Voice): VoiceResponse => ({
  id: voice.id,
  name: voice.name,
  mode: voice.mode,
  language_id: voice.languageId,
  gender: voice.gender,
  accent: voice.accent,
  preview_url: voice.previewUrl,
});
