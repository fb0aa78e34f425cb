import { ApiProperty } from '@nestjs/swagger';
import type { FillerConfig } from '../assistant.types.js';

/** What is said while the model thinks, in the assistant's language. */
export class FillerConfigResponse implements FillerConfig {
  @ApiProperty({ type: [String] }) neutral: string[];
  @ApiProperty({ type: [String] }) negative: string[];
  @ApiProperty({ type: [String] }) positive: string[];
  @ApiProperty({ type: [String] }) question: string[];
}
