import { PhoneField, TextField } from '#src/common/validation/fields.js';

export class SearchPhoneNumbersDto {
  @TextField({
    required: false,
    min: 2,
    max: 2,
    example: 'US',
    description: "ISO 3166-1 alpha-2. Default: the account's country.",
  })
  country_code?: string;

  @TextField({
    required: false,
    min: 2,
    max: 16,
    pattern: /^\+?[0-9A-Za-z*]+$/,
    example: '415',
    description:
      'Digits, or the letters on their keys, that the number contains; `*` is any digit, `+` the beginning.',
  })
  contains?: string;
}

export class PurchasePhoneNumberDto {
  @PhoneField({ example: '+14155550123', description: 'One that the search lists.' })
  phone_number: string;
}

export class UpdatePhoneNumberDto {
  @TextField({ required: false, nullable: true, max: 50, example: 'Reception' })
  nickname?: string | null;
}
