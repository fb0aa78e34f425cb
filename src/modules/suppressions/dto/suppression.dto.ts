import { DEFAULT_PER_PAGE, PageField, PageSizeField } from '#src/http/pagination/page.js';
import { NUMBER_FILTER_DESCRIPTION, PhoneField, TextField } from '#src/common/validation/fields.js';

/** Characters. */
export const MAX_REASON = 255;

/** With `page` or `per_page` the answer is one page in the envelope, without them the bare array of the newest. */
export class ListSuppressionsDto {
  @PageField()
  page?: number;

  @PageSizeField({ description: `Page size, ${DEFAULT_PER_PAGE} if absent.` })
  per_page?: number;

  @PhoneField({ required: false, description: `The number; ${NUMBER_FILTER_DESCRIPTION}` })
  phone_number?: string;
}

export class CreateSuppressionDto {
  @PhoneField({ example: '+15005550024' })
  phone_number: string;

  @TextField({
    required: false,
    nullable: true,
    max: MAX_REASON,
    example: 'Asked by e-mail not to be called',
  })
  reason?: string | null;
}

export class ImportSuppressionsDto {
  /** The path of the upload, see `AcceptsUpload`. */
  @TextField({
    format: 'binary',
    description:
      'CSV in UTF-8 or UTF-16 with a header; comma, semicolon, tab or `|`. Columns: `phone_number`, `reason` (optional); others are not read; at most a million lines.',
  })
  file: string;
}
