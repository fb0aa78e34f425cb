import { ApiProperty, OmitType } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import { WebhookSecret } from '../entities/webhook.entities.js';

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

/** The answer of a rotation. */
export class RotatedWebhookSecretResponse extends OmitType(WebhookSecretResponse, ['secret']) {
  @ApiProperty({
    required: false,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0q4Lw1p3c2Y=',
    description: 'Absent in a replay for an `Idempotency-Key`; `GET /user/webhook-secret` shows it.',
  })
  secret?: string;
}

/** `living` are the secrets that sign now, the current one first. */
export function toWebhookSecretResponse([current, previous]: WebhookSecret[]): WebhookSecretResponse {
  if (!current) throw new Error('the account has no signing secret');
  return {
    secret: current.secret,
    created_at: toDateTime(current.createdAt),
    previous_signs_until: previous?.retiresAt ? toDateTime(previous.retiresAt) : null,
  };
}
