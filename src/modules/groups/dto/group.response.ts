import { ApiProperty } from '@nestjs/swagger';
import type { AssistantGroup } from '../entities/assistant-group.entity.js';
import { GROUP_COLORS, type GroupColor } from '../group.types.js';

/** A folder or a label. */
export class GroupResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'Sales' }) name: string;
  @ApiProperty({ enum: GROUP_COLORS }) color: GroupColor;
  @ApiProperty({ type: 'integer', description: 'Assistants in the folder, or with the label.' })
  assistants_count: number;
}

export const toGroupResponse = ({ id, name, color, assistantsCount }: AssistantGroup): GroupResponse => ({
  id,
  name,
  color,
  assistants_count: assistantsCount,
});
