import { ApiProperty } from '@nestjs/swagger';
import { toIsoMicros } from '#src/common/time/time.js';
import type { Tool } from '../entities/tool.entity.js';
import { HTTP_METHODS, type HttpMethod } from '../tool.types.js';
import { HEADER_MASK, ToolHeaderDto, ToolParameterDto } from './tool-input.dto.js';

export class ToolResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty() name: string;
  @ApiProperty() description: string;
  @ApiProperty() endpoint: string;
  @ApiProperty({ enum: HTTP_METHODS }) method: HttpMethod;
  @ApiProperty({ type: 'integer', description: 'Seconds.' }) timeout: number;
  @ApiProperty({ type: [ToolHeaderDto] }) headers: ToolHeaderDto[];
  @ApiProperty({ type: [ToolParameterDto] }) schema: ToolParameterDto[];
  @ApiProperty({ example: '2026-01-31T09:30:00.000000Z' }) created_at: string;
  @ApiProperty({ example: '2026-01-31T09:30:00.000000Z' }) updated_at: string;
}

/** Header values open the systems of customers: for tokens that may not write them. */
export const maskHeaders = (tool: ToolResponse): ToolResponse => ({
  ...tool,
  headers: tool.headers.map(({ name }) => ({ name, value: HEADER_MASK })),
});

export const toToolResponse = (tool: Tool): ToolResponse => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  endpoint: tool.endpoint,
  method: tool.method,
  timeout: tool.timeout,
  headers: tool.headers.map(({ name, value }) => ({ name, value })),
  schema: tool.schema.map(({ name, type, description }) => ({ name, type, description })),
  created_at: toIsoMicros(tool.createdAt),
  updated_at: toIsoMicros(tool.updatedAt),
});
