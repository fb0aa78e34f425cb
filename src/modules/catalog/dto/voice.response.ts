import { ApiProperty } from '@nestjs/swagger';
import { ASSISTANT_MODES, type AssistantMode } from '../catalog.types.js';
import type { Voice } from '../entities/voice.entity.js';

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
