import { ApiProperty, PickType } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import { formatNumber } from '#src/common/phone/phone.js';
import { toDateTime } from '#src/common/time/time.js';
import type { AvailableNumber } from '../../telephony/carrier-numbers.js';
import { hasActiveSubscription, type PhoneNumber } from '../entities/phone-number.entity.js';

export class PhoneNumberResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'E.164.', example: '+14155550123' }) phone_number: string;
  @ApiProperty({ type: String, nullable: true }) nickname: string | null;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'US' }) country_code: string;
  @ApiProperty({ example: 'local' }) type: string;
  @ApiProperty({ description: 'The type as people read it.', example: 'Local' }) type_label: string;
  @ApiProperty() sms_capable: boolean;
  @ApiProperty({ type: String, nullable: true }) region: string | null;
  @ApiProperty({ description: 'False: expired, no calls and no messages from it.' })
  has_active_subscription: boolean;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export class PhoneNumbersResponse {
  @ApiProperty({ type: [PhoneNumberResponse] }) data: PhoneNumberResponse[];
}

export const toPhoneNumberResponse = (number: PhoneNumber): PhoneNumberResponse => ({
  id: number.id,
  phone_number: number.phoneNumber,
  nickname: number.nickname,
  country_code: number.countryCode,
  type: number.type,
  type_label: labelOf(number.type),
  sms_capable: number.smsCapable,
  region: number.region,
  has_active_subscription: hasActiveSubscription(number),
  created_at: toDateTime(number.createdAt),
});

export class PurchasedNumberResponse extends PickType(PhoneNumberResponse, [
  'id',
  'phone_number',
  'country_code',
  'type',
  'sms_capable',
]) {}

export const toPurchasedNumberResponse = (number: PhoneNumber): PurchasedNumberResponse => ({
  id: number.id,
  phone_number: number.phoneNumber,
  country_code: number.countryCode,
  type: number.type,
  sms_capable: number.smsCapable,
});

export class AvailableNumberResponse {
  @ApiProperty({ description: 'E.164.', example: '+14152345678' }) phone_number: string;
  @ApiProperty({ example: '+1 415 234 5678' }) phone_number_formatted: string;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'US' }) country_code: string;
  @ApiProperty({ description: 'Of a month, in the account currency.', example: 2 }) price: number;
  @ApiProperty({
    enum: ['none', 'any', 'local', 'foreign'],
    description: 'Whose address the law of the country asks for; such a number may be refused.',
  })
  address_requirements: AvailableNumber['addressRequirements'];
  @ApiProperty() sms_capable: boolean;
}

export class AvailableNumbersResponse {
  @ApiProperty({ type: [AvailableNumberResponse] }) data: AvailableNumberResponse[];
}

export const toAvailableNumberResponse = (
  number: AvailableNumber,
  priceMicros: bigint,
): AvailableNumberResponse => ({
  phone_number: number.phoneNumber,
  phone_number_formatted: formatNumber(number.phoneNumber),
  country_code: number.countryCode,
  price: toAmount(priceMicros),
  address_requirements: number.addressRequirements,
  sms_capable: number.smsCapable,
});

/** `toll_free` → `Toll free`. */
function labelOf(type: string): string {
  const words = type.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A phone number for other modules. */
export interface PhoneNumberView {
  id: number;
  accountId: number;
  /** E.164 */
  phoneNumber: string;
  /** ISO 3166-1 alpha-2 */
  countryCode: string;
  smsCapable: boolean;
  /** False: expired, no number to call or to write from. */
  subscriptionActive: boolean;
}

export const toPhoneNumberView = (number: PhoneNumber): PhoneNumberView => ({
  id: number.id,
  accountId: number.accountId,
  phoneNumber: number.phoneNumber,
  countryCode: number.countryCode,
  smsCapable: number.smsCapable,
  subscriptionActive: hasActiveSubscription(number),
});
