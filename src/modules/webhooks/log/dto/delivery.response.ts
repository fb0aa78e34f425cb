import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '#src/common/time/time.js';
import type { WebhookChannel } from '#src/modules/assistants/assistant.types.js';
import type { WebhookAttempt, WebhookDelivery } from '../../entities/webhook.entities.js';
import {
  WEBHOOK_CHANNELS,
  DELIVERY_STATES,
  WEBHOOK_EVENTS,
  type DeliveryState,
  type WebhookEvent,
} from '../../webhook.types.js';

export class DeliveryResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'The same on every attempt.' }) webhook_id: string;
  @ApiProperty({ enum: WEBHOOK_EVENTS }) event: WebhookEvent;
  @ApiProperty({ enum: WEBHOOK_CHANNELS }) channel: WebhookChannel;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Null for a test and for a text conversation.',
  })
  call_id: number | null;
  @ApiProperty({ type: 'integer' }) assistant_id: number;
  @ApiProperty({ description: 'Where it went last, or goes first.' }) url: string;
  @ApiProperty({ enum: DELIVERY_STATES }) status: DeliveryState;
  @ApiProperty({ type: String, nullable: true, description: 'Why it is dead or cancelled.' })
  reason: string | null;
  @ApiProperty() test: boolean;
  @ApiProperty({ type: 'integer' }) attempts_count: number;
  @ApiProperty({ type: String, nullable: true, example: '2026-01-31 09:30:05' })
  next_attempt_at: string | null;
  @ApiProperty({ type: String, nullable: true, example: '2026-01-31 09:30:00' }) delivered_at: string | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export class AttemptResponse {
  @ApiProperty({ type: 'integer', minimum: 1 }) number: number;
  @ApiProperty() url: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when no answer came.' })
  status_code: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first 4 KiB.' })
  response_body: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'timeout: The exchange did not finish in time.' })
  error: string | null;
  @ApiProperty({ type: 'integer' }) duration_ms: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export class DeliveryDetailResponse extends DeliveryResponse {
  @ApiProperty({ description: 'The very text that is signed and sent.' }) body: string;
  @ApiProperty({ type: [AttemptResponse] }) attempts: AttemptResponse[];
}

export const toDeliveryResponse = (delivery: WebhookDelivery): DeliveryResponse => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  channel: delivery.channel,
  call_id: delivery.callId,
  assistant_id: delivery.assistantId,
  url: delivery.url,
  status: delivery.state,
  reason: delivery.reason,
  test: delivery.test,
  attempts_count: delivery.attempts,
  next_attempt_at: delivery.state === 'pending' ? toDateTime(delivery.dueAt) : null,
  delivered_at: delivery.deliveredAt && toDateTime(delivery.deliveredAt),
  created_at: toDateTime(delivery.createdAt),
});

export const toDeliveryDetailResponse = (
  delivery: WebhookDelivery,
  attempts: WebhookAttempt[],
): DeliveryDetailResponse => ({
  ...toDeliveryResponse(delivery),
  body: delivery.body,
  attempts: attempts.map((attempt) => ({
    number: attempt.number,
    url: attempt.url,
    status_code: attempt.statusCode,
    response_body: attempt.responseBody,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    created_at: toDateTime(attempt.createdAt),
  })),
});
