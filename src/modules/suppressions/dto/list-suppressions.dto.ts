import { MAX_PAGE, MAX_PER_PAGE } from '#src/common/pagination/page.js';
import { IntegerField, PhoneField } from '#src/common/validation/fields.js';

export const DEFAULT_PER_PAGE = 15;

/** With `page` or `per_page` the answer is one page in the envelope, without them the bare array of the newest. */
export class ListSuppressionsDto {
  @IntegerField({ min: 1, max: MAX_PAGE, required: false, description: 'Page number.' })
  page?: number;

  @IntegerField({
    min: 1,
    max: MAX_PER_PAGE,
    required: false,
    description: `Page size, ${DEFAULT_PER_PAGE} if absent.`,
  })
  per_page?: number;

  @PhoneField({ required: false, description: 'Matched in its E.164 form.' })
  phone_number?: string;
}
