import { ApiProperty } from '@nestjs/swagger';
import type { Actor } from '#src/common/work-context.js';
import { ACTOR_TYPES, AUDIT_ACTIONS, AUDIT_RESOURCES, resourceOf } from '../audit.types.js';
import type { AuditAction, AuditDetails } from '../audit.types.js';
import type { AuditLink } from '../audit-chain.js';

export class AuditActorResponse {
  @ApiProperty({ enum: ACTOR_TYPES }) type: Actor['type'];
  @ApiProperty({ type: 'integer', nullable: true, description: 'Of the API key.' }) id: number | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'CRM',
    description: 'Of the API key, or of the operator.',
  })
  name: string | null;
}

export class AuditResourceResponse {
  @ApiProperty({ enum: AUDIT_RESOURCES }) type: string;
  @ApiProperty({ type: String, nullable: true, example: '12', description: 'Null: many, or none.' })
  id: string | null;
}

export class AuditEntryResponse {
  @ApiProperty({ type: 'integer', description: 'Place in the log of the account, from 1 on without gaps.' })
  id: number;
  @ApiProperty({ example: '2026-01-31T09:30:00.000000Z' }) created_at: string;
  @ApiProperty() actor: AuditActorResponse;
  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7', description: 'Of the client.' })
  address: string | null;
  @ApiProperty({ type: String, nullable: true, description: '`X-Request-Id` of the request.' })
  request_id: string | null;
  @ApiProperty({ enum: AUDIT_ACTIONS }) action: AuditAction;
  @ApiProperty() resource: AuditResourceResponse;
  @ApiProperty({ type: [String], example: ['system_prompt'], description: 'Names of changed fields.' })
  fields: string[];
  @ApiProperty({
    type: 'object',
    additionalProperties: {},
    example: { status: 'inactive' },
    description: 'Values that are harmless: statuses, counts, ids.',
  })
  details: AuditDetails;
  @ApiProperty({ description: 'SHA-256 of the entry and of the hash before it, in hexadecimal.' })
  hash: string;
}

export const toAuditEntryResponse = (entry: AuditLink): AuditEntryResponse => ({
  id: entry.seq,
  created_at: entry.at,
  actor: { type: entry.actorType as Actor['type'], id: entry.actorId, name: entry.actorName },
  address: entry.address,
  request_id: entry.requestId,
  action: entry.action as AuditAction,
  resource: { type: resourceOf(entry.action as AuditAction), id: entry.resourceId },
  fields: entry.fields,
  details: entry.details,
  hash: entry.hash,
});
