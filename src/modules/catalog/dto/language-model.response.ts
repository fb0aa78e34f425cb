import { ApiProperty } from '@nestjs/swagger';
import type { LanguageModel } from '../entities/language-model.entity.js';

export class LanguageModelResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'The value of `llm_model`.', example: 'gpt-4.1-mini' }) name: string;
}

export const toLanguageModelResponse = ({ id, name }: LanguageModel): LanguageModelResponse => ({ id, name });
