import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { WebhookSecret } from '../entities/webhook-secret.entity.js';

export class WebhookSecretResponse {
  @ApiProperty({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0q4Lw1p3c2Y=' }) secret: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-02-01 09:30:00',
    description: 'Until then the secret before this one signs too; null when there is none.',
  })
  previous_signs_until: string | null;
}

/** `living` are those that sign now, the current one first. */
export function toWebhookSecretResponse([current, previous]: WebhookSecret[]): WebhookSecretResponse {
  if (!current) throw new Error('the account has no signing secret');
  return {
    secret: current.secret,
    created_at: toDateTime(current.createdAt),
    previous_signs_until: previous?.retiresAt ? toDateTime(previous.retiresAt) : null,
  };
}
