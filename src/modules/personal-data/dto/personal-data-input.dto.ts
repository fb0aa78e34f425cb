import { BooleanField, PhoneField } from '#src/common/validation/fields.js';
import { pageQuery } from '#src/http/pagination/page.js';

const description = 'A national number is read in the country of the account.';

export class CreateErasureDto {
  @PhoneField({ example: '+14155550123', description })
  phone_number: string;

  @BooleanField({
    required: false,
    default: false,
    description: 'Whether the number stays on the suppression list, of which only a keyed hash is kept then.',
  })
  keep_suppressed?: boolean;
}

export class CreateExportDto {
  @PhoneField({ example: '+14155550123', description })
  phone_number: string;
}

export class ListPersonalDataJobsDto extends pageQuery(15) {}
