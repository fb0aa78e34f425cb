import { ApiProperty } from '@nestjs/swagger';
import { ASSISTANT_MODES, type AssistantMode } from '../../catalog/catalog.types.js';
import {
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  type AssistantStatus,
  type AssistantType,
} from '../assistant.types.js';
import type { Assistant } from '../entities/assistant.entity.js';

export class AssistantSummaryResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty({ enum: ASSISTANT_STATUSES }) status: AssistantStatus;
  @ApiProperty({ enum: ASSISTANT_TYPES }) type: AssistantType;
  @ApiProperty({ enum: ASSISTANT_MODES }) mode: AssistantMode;
}

export const toAssistantSummary = ({
  id,
  name,
  status,
  type,
  mode,
}: Assistant): AssistantSummaryResponse => ({
  id,
  name,
  status,
  type,
  mode,
});
