import { ApiProperty } from '@nestjs/swagger';

export class AssistantPhoneNumberResponse {
  @ApiProperty({ type: 'integer', description: 'The value of `phone_number_id`.' }) id: number;
  @ApiProperty({ description: 'E.164.', example: '+14155550123' }) phone_number: string;
  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', example: 'US' }) country_code: string;
  @ApiProperty({ example: 'Local' }) type_label: string;
  @ApiProperty({ description: 'False: expired, or (asked for `inbound`) held by another inbound assistant.' })
  is_available: boolean;
}

interface UsersNumber {
  id: number;
  phone_number: string;
  country_code: string;
  type_label: string;
  has_active_subscription: boolean;
}

export const toAssistantPhoneNumber = (number: UsersNumber, held: boolean): AssistantPhoneNumberResponse => ({
  id: number.id,
  phone_number: number.phone_number,
  country_code: number.country_code,
  type_label: number.type_label,
  is_available: number.has_active_subscription && !held,
});
