import { DEFAULT_ERRORS } from '#src/common/csv/import-report.js';
import { BooleanField, IdField, IntegerField, TextField } from '#src/common/validation/fields.js';

/** Of a form that is answered at once: some megabytes. */
const MAX_ERRORS = 10_000;

export class ImportLeadsDto {
  /** The path of the upload, see `AcceptsUpload`. */
  @TextField({
    format: 'binary',
    description:
      'CSV in UTF-8 or UTF-16 with a header; comma, semicolon, tab or `|`. Columns: `phone_number`, `secondary_phone_1`…; every other one is a variable.',
  })
  file: string;

  @IdField({ description: 'One of your campaigns.' })
  campaign_id: number;

  @BooleanField({ required: false, default: false, description: 'Whether a number may stand there already.' })
  allow_dupplicate?: boolean;

  @BooleanField({
    required: false,
    default: false,
    description:
      'The file is read and judged, and nothing is stored: the answer says what an import would do.',
  })
  dry_run?: boolean;

  @IntegerField({
    required: false,
    min: 1,
    max: MAX_ERRORS,
    default: DEFAULT_ERRORS,
    description: 'Errors that are listed.',
  })
  max_errors?: number;
}
