import { ApiProperty } from '@nestjs/swagger';
import { toIsoMicros } from '#src/common/time/time.js';
import { HTTP_METHODS, type HttpMethod, type ToolHeader } from '../tool.types.js';
import type { Tool } from '../entities/tool.entity.js';
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

/**
 * As the API shows a tool: header values open the systems of customers.
 * @param seesHeaders whether the token may write them; it sees those that are not secret
 */
export const maskHeaders = (tool: ToolResponse, seesHeaders: boolean): ToolResponse => ({
  ...tool,
  headers: tool.headers.map((header) =>
    seesHeaders && !header.secret ? header : { ...header, value: HEADER_MASK },
  ),
});

/** With its headers decrypted. */
export type OpenTool = Omit<Tool, 'headers'> & { headers: ToolHeader[] };

export const toToolResponse = (tool: OpenTool): ToolResponse => ({
  id: tool.id,
  name: tool.name,
  description: tool.description,
  endpoint: tool.endpoint,
  method: tool.method,
  timeout: tool.timeout,
  headers: tool.headers.map(({ name, value, secret }) => ({ name, value, ...(secret && { secret }) })),
  schema: tool.schema.map(({ name, type, description }) => ({ name, type, description })),
  created_at: toIsoMicros(tool.createdAt),
  updated_at: toIsoMicros(tool.updatedAt),
});
