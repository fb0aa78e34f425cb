import type { Type } from '@nestjs/common';
import { OmitType, PartialType } from '@nestjs/swagger';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { pageQuery } from '#src/common/pagination/page.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { EnumField, IdField, UrlField } from '#src/common/validation/fields.js';
import { IdListField } from '#src/common/validation/object-fields.js';
import { SETTINGS, type ASSISTANT_SETTINGS } from '../assistant-settings.js';
import { ASSISTANT_TYPES, type AssistantType } from '../assistant.types.js';
import type { CreationOf, UpdateOf } from '../setting-kinds.js';

/** Declares the fields of the table of settings on a class of a request's body. */
function withSettings<Fields extends object>(base: Type<object>, form: 'create' | 'update') {
  for (const [name, setting] of SETTINGS) setting[form]?.(base.prototype as object, name);
  return base as Type<Fields>;
}

@InvalidMessage(VALIDATION_FAILED)
export class CreateAssistantDto extends withSettings<CreationOf<typeof ASSISTANT_SETTINGS>>(
  class {},
  'create',
) {
  @IdListField({ required: false, description: 'Your mid call tools that the assistant may call.' })
  tool_ids?: number[];
}

/** Settings whose field is another one in an update. */
const redeclared = SETTINGS.filter(([, { update }]) => update).map(([name]) => name);

/** Absent keeps; null clears the number and the webhook's URL and is refused elsewhere; lists are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateAssistantDto extends withSettings<
  UpdateOf<typeof ASSISTANT_SETTINGS> & Pick<CreateAssistantDto, 'tool_ids'>
>(
  PartialType(OmitType(CreateAssistantDto, redeclared as (keyof CreateAssistantDto)[]), {
    skipNullProperties: false,
  }),
  'update',
) {}

export class DisableWebhookDto {
  @IdField()
  assistant_id: number;
}

export class EnableWebhookDto extends DisableWebhookDto {
  @UrlField({ example: 'https://example.com/calls' })
  webhook_url: string;
}

const DEFAULT_PAGE_SIZE = 10;

@InvalidMessage(VALIDATION_FAILED)
export class ListAssistantsDto {
  @EnumField(ASSISTANT_TYPES, { required: false })
  type?: AssistantType | null;
}

@InvalidMessage(VALIDATION_FAILED)
export class PageAssistantsDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @EnumField(ASSISTANT_TYPES, { required: false })
  type?: AssistantType | null;
}
