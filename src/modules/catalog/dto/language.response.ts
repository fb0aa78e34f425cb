import { ApiProperty } from '@nestjs/swagger';
import type { Language } from '../entities/language.entity.js';

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
