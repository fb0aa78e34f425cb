import { SCOPES, type Scope } from '#src/http/scopes.js';
import { TextField } from '#src/common/validation/fields.js';
import { EnumListField, TimestampField } from '#src/common/validation/text-fields.js';

export class CreateApiKeyDto {
  @TextField({ max: 255, example: 'CRM' })
  name: string;

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
