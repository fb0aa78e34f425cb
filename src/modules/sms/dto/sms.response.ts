import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '#src/http/message.response.js';
import { toAmount } from '#src/common/money/micros.js';
import { toDateTime } from '#src/common/time/time.js';
import { SMS_STATUSES, type SmsMessage, type SmsStatus } from '../entities/sms.entities.js';

export class SmsPriceResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'US',
    description: "ISO 3166-1 alpha-2 of the recipient; null: no country's number.",
  })
  country: string | null;
  @ApiProperty({ description: 'Cost per segment.', example: 0.075 }) segment_price: number;
}

export class SmsFailedResponse extends MessageResponse {
  @ApiProperty({ required: false, description: "The provider's own words." })
  error?: string;
}

export class SmsResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ type: 'integer', description: 'Sender.' }) phone_number_id: number;
  @ApiProperty({ example: '+15005550006' }) to: string;
  @ApiProperty() body: string;
  @ApiProperty({ type: 'integer' }) user_id: number;
  @ApiProperty({ type: 'integer', description: 'Billing segments.' }) segments: number;
  @ApiProperty({ description: 'Cost per segment.', example: 0.075 }) segment_price: number;
  @ApiProperty({ description: 'Cost of all segments.', example: 0.15 }) total_cost: number;
  @ApiProperty({
    enum: SMS_STATUSES,
    description: '`pending` until the provider confirmed it; `failed` without an `sms_sid` was refunded.',
  })
  status: SmsStatus;
  @ApiProperty({ type: String, nullable: true, description: "The provider's identifier of the message." })
  sms_sid: string | null;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) updated_at: string;
}

export const toSmsResponse = (message: SmsMessage): SmsResponse => ({
  id: message.id,
  phone_number_id: message.phoneNumberId,
  to: message.to,
  body: message.body,
  user_id: message.accountId,
  segments: message.segments,
  segment_price: toAmount(message.segmentPriceMicros),
  total_cost: toAmount(message.totalCostMicros),
  status: message.status,
  sms_sid: message.smsSid,
  created_at: toDateTime(message.createdAt),
  updated_at: toDateTime(message.updatedAt),
});
