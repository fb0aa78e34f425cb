import { ApiProperty, PickType } from '@nestjs/swagger';
import type { AccessToken } from '#src/auth/entities/access-token.entity.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { MessageResponse } from '#src/http/message.response.js';
import { toIsoMicros } from '#src/common/time/time.js';

const INSTANT = { example: '2026-01-31T09:30:00.000000Z' };

export class ApiKeyResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ example: 'CRM' }) name: string;
  @ApiProperty({
    ...INSTANT,
    type: String,
    nullable: true,
    description: 'Stored at most once a minute; null: never used.',
  })
  last_used_at: string | null;
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty({ ...INSTANT, type: String, nullable: true, description: 'Null: never.' })
  expires_at: string | null;
  @ApiProperty({ enum: SCOPES, isArray: true }) scopes: Scope[];
}

export class ApiKeysResponse {
  @ApiProperty({ type: [ApiKeyResponse] }) api_keys: ApiKeyResponse[];
}

const SHOWN_AT_CREATION = ['id', 'name', 'created_at', 'expires_at', 'scopes'] as const;

export class NewApiKeyResponse extends PickType(ApiKeyResponse, SHOWN_AT_CREATION) {
  @ApiProperty({
    required: false,
    example: `vac_${'0123456789abcdef'.repeat(3)}1a2b3c4d`,
    description: 'Shown once: absent in a replay for an `Idempotency-Key`.',
  })
  token?: string;
}

export class CreatedApiKeyResponse extends MessageResponse {
  @ApiProperty() api_key: NewApiKeyResponse;
}

export const toApiKeyResponse = (key: AccessToken): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  last_used_at: key.lastUsedAt && toIsoMicros(key.lastUsedAt),
  created_at: toIsoMicros(key.createdAt),
  expires_at: key.expiresAt && toIsoMicros(key.expiresAt),
  scopes: key.scopes,
});

/** @param token its text, which is not stored */
export const toNewApiKeyResponse = (key: AccessToken, token: string): NewApiKeyResponse => {
  const { id, name, created_at, expires_at, scopes } = toApiKeyResponse(key);
  return { id, name, token, created_at, expires_at, scopes };
};
