import { BooleanField, IdField, TextField } from '#src/common/validation/fields.js';

export class ImportLeadsDto {
  /** The path of the upload, see `AcceptsUpload`. */
  @TextField({
    format: 'binary',
    description:
      'CSV in UTF-8 or UTF-16 with a header; comma, semicolon, tab or `|`. Columns: `phone_number`, `secondary_phone_1`…; every other one is a variable. What is read and what is refused: docs/IMPORTS.md.',
  })
  file: string;

  @IdField({ description: 'One of your campaigns.' })
  campaign_id: number;

  @BooleanField({ required: false, default: false, description: 'Whether a number may stand there already.' })
  allow_dupplicate?: boolean;
}
