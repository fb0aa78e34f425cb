import { ApiProperty } from '@nestjs/swagger';
import type { OutboundResult } from '#src/common/outbound-http/outbound-exchange.js';
import { HTTP_METHODS, type HttpMethod } from '../tool.types.js';
import { statusFailure, type ToolHttpRequest } from '../tool-request.js';
import { HEADER_MASK } from './tool-input.dto.js';
import type { ToolResponse } from './tool.response.js';

class HeaderResponse {
  @ApiProperty() name: string;
  @ApiProperty() value: string;
}

class ToolRequestResponse {
  @ApiProperty({ enum: HTTP_METHODS }) method: HttpMethod;
  @ApiProperty() url: string;
  @ApiProperty({
    type: [HeaderResponse],
    description: `The tool's own headers have the value \`${HEADER_MASK}\`.`,
  })
  headers: HeaderResponse[];
  @ApiProperty({ type: String, nullable: true }) body: string | null;
}

class ToolAnswerResponse {
  @ApiProperty({ type: 'integer' }) status: number;
  @ApiProperty({ type: [HeaderResponse] }) headers: HeaderResponse[];
  @ApiProperty({ description: 'Its first 16 KiB, as the AI would get it.' }) body: string;
  @ApiProperty({ description: 'Whether the body is longer.' }) truncated: boolean;
}

export class ToolTestResponse {
  @ApiProperty({ type: ToolRequestResponse, nullable: true, description: 'Null: nothing was sent.' })
  request: ToolRequestResponse | null;
  @ApiProperty({ type: ToolAnswerResponse, nullable: true, description: 'Null: there was no answer.' })
  response: ToolAnswerResponse | null;
  @ApiProperty({ type: 'integer', description: 'Milliseconds.' }) duration_ms: number;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the AI would be told that the tool failed; null: it would not.',
    example: 'The exchange did not finish in time.',
  })
  error: string | null;
}

export function toToolTestResponse(
  { method, url, headers, body }: ToolHttpRequest,
  tool: ToolResponse,
  result: OutboundResult,
): ToolTestResponse {
  const own = new Set(tool.headers.map(({ name }) => name.toLowerCase()));
  const masked = Object.entries(headers).map(([name, value]) => ({
    name,
    value: own.has(name) ? HEADER_MASK : value,
  }));
  const { durationMs } = result;
  const request = { method, url, headers: masked, body: body ?? null };
  if (!result.ok) return { request, response: null, duration_ms: durationMs, error: result.message };
  const { statusCode, truncated } = result;
  return {
    request,
    response: {
      status: statusCode,
      headers: Object.entries(result.headers).map(([name, value]) => ({ name, value })),
      body: result.body,
      truncated,
    },
    duration_ms: durationMs,
    error: result.unreadable ? result.body : statusFailure(statusCode),
  };
}
