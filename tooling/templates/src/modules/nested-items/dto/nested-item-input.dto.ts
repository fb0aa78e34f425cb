import { pageQuery } from '#src/http/pagination/page.js';
import { TextField } from '#src/common/validation/fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';

const DEFAULT_PAGE_SIZE = 15;

export class ListNestedItemsDto extends pageQuery(DEFAULT_PAGE_SIZE) {}

export class CreateNestedItemDto {
  @TextField({ max: 255, example: 'First' })
  name: string;

  @TextField({ required: false, nullable: true, max: 2000 })
  note?: string | null;
}

/** Absent keeps the value; null is accepted only by nullable fields. */
export class UpdateNestedItemDto extends UpdateType(CreateNestedItemDto) {}
