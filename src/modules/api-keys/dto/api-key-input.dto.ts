import { MAX_RANGES } from '#src/common/address-ranges.js';
import { SCOPES, type Scope } from '#src/http/scopes.js';
import { TextField } from '#src/common/validation/fields.js';
import { SpendLimitField } from '../../accounts/spend-limit-field.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { AddressListField, EnumListField, TimestampField } from '#src/common/validation/text-fields.js';

class ChangeableFields {
  @TextField({ max: 255, example: 'CRM' })
  name: string;

  @AddressListField({
    required: false,
    max: MAX_RANGES,
    example: ['203.0.113.0/24', '2001:db8::1'],
    description:
      'IPv4 and IPv6 addresses and CIDR ranges of the clients that may use the key, by default those of its ' +
      'creator; empty: all. From elsewhere it is a 403.',
  })
  allowed_addresses?: string[];

  @SpendLimitField(
    'What the key may spend in an hour of the clock (UTC), in the account currency, with up to six decimals: by calls, ' +
      'messages and numbers that it pays, and by campaigns that it started. Null, the default: no limit.',
  )
  spend_limit_per_hour?: number | null;
}

/** Absent keeps the value. The scopes and the expiry of a key never change. */
export class UpdateApiKeyDto extends UpdateType(ChangeableFields) {}

export class CreateApiKeyDto extends ChangeableFields {
  @EnumListField(SCOPES, {
    required: false,
    example: ['read', 'calls'],
    description: 'What the key may do; `admin` includes all others. Default: the scopes of its creator.',
  })
  scopes?: Scope[];

  @TimestampField({
    required: false,
    nullable: true,
    example: '2027-01-31 09:30:00',
    description:
      'In the future, without an offset in UTC, and not after the end of the key that creates it. Default, and null: as ' +
      'that key, else never.',
  })
  expires_at?: string | null;
}
