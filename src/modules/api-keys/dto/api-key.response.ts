import { ApiProperty, PickType } from '@nestjs/swagger';
import type { AccessToken } from '#src/auth/entities/access-token.entity.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { MessageResponse } from '#src/http/message.response.js';
import { toAmount } from '#src/common/money/micros.js';
import { toIsoMicros } from '#src/common/time/time.js';
import { SPEND_LIMIT, SPENT_THIS_HOUR } from '#src/modules/accounts/dto/spend-limit.response.js';
import type { HourlySpending } from '#src/modules/accounts/spend-limits.service.js';

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
  @ApiProperty({
    type: String,
    nullable: true,
    example: '203.0.113.7',
    description: 'IP address of the client at `last_used_at`; null: unknown.',
  })
  last_used_address: string | null;
  @ApiProperty({
    ...INSTANT,
    type: String,
    nullable: true,
    description:
      'The last use, or the creation, of a key that could be used and was not for 90 days: revoke it when nothing needs it. Null: it was used since, is younger, or has expired.',
  })
  unused_since: string | null;
  @ApiProperty(INSTANT) created_at: string;
  @ApiProperty({ ...INSTANT, type: String, nullable: true, description: 'Null: never.' })
  expires_at: string | null;
  @ApiProperty({ enum: SCOPES, isArray: true }) scopes: Scope[];
  @ApiProperty({
    type: [String],
    example: ['203.0.113.0/24'],
    description: 'Addresses and CIDR ranges of the clients that may use it; empty: all.',
  })
  allowed_addresses: string[];
  @ApiProperty({ ...SPEND_LIMIT, description: 'Null: no limit.' })
  spend_limit_per_hour: number | null;
  @ApiProperty({ description: SPENT_THIS_HOUR, example: 12.5 }) spent_this_hour: number;
}

export class ApiKeysResponse {
  @ApiProperty({ type: [ApiKeyResponse] }) api_keys: ApiKeyResponse[];
}

const SHOWN_AT_CREATION = [
  'id',
  'name',
  'created_at',
  'expires_at',
  'scopes',
  'allowed_addresses',
  'spend_limit_per_hour',
] as const;

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

/** @param spending absent: it never spent, and has no limit */
export const toApiKeyResponse = (
  key: AccessToken,
  { limitMicros, spentMicros }: HourlySpending = { limitMicros: null, spentMicros: 0n },
): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  last_used_at: key.lastUsedAt && toIsoMicros(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
  unused_since: unusedSince(key),
  created_at: toIsoMicros(key.createdAt),
  expires_at: key.expiresAt && toIsoMicros(key.expiresAt),
  scopes: key.scopes,
  allowed_addresses: key.allowedAddresses,
  spend_limit_per_hour: limitMicros === null ? null : toAmount(limitMicros),
  spent_this_hour: toAmount(spentMicros),
});

const UNUSED_MS = 90 * 86_400_000;

function unusedSince({ lastUsedAt, createdAt, expiresAt }: AccessToken): string | null {
  const now = Date.now();
  const since = lastUsedAt ?? createdAt;
  const hasExpired = expiresAt !== null && expiresAt.getTime() <= now;
  return hasExpired || since.getTime() > now - UNUSED_MS ? null : toIsoMicros(since);
}

/** @param token its text, which is not stored */
export const toNewApiKeyResponse = (
  key: AccessToken,
  token: string,
  spending: HourlySpending | undefined,
): NewApiKeyResponse => {
  const { id, name, created_at, expires_at, scopes, allowed_addresses, spend_limit_per_hour } =
    toApiKeyResponse(key, spending);
  return { id, name, token, created_at, expires_at, scopes, allowed_addresses, spend_limit_per_hour };
};
