import type { Type } from '@nestjs/common';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { pageQuery } from '#src/http/pagination/page.js';
import { InvalidMessage } from '#src/http/api-validation.pipe.js';
import { EnumField, IdField, UrlField } from '#src/common/validation/fields.js';
import { IdListField } from '#src/common/validation/object-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import { SETTINGS, type ASSISTANT_SETTINGS } from '../assistant-settings.js';
import { ASSISTANT_TYPES, type AssistantType } from '../assistant.types.js';
import type { CreationOf, UpdateOf } from '../setting-kinds.js';

/** Declares the fields of the table of settings on a class of a request's body. */
function withSettings<Fields extends object>(base: Type<object>, form: 'create' | 'update') {
  const body = base.prototype as object;
  for (const [name, setting] of SETTINGS) setting[form]?.(body, name);
  return base as Type<Fields>;
}

/** The same for the names that answers have for settings. */
function withOtherNames(base: Type<object>): Type<object> {
  for (const [setting, { otherNames }] of SETTINGS) {
    for (const { name, declare } of otherNames) declare(setting)(base.prototype as object, name);
  }
  return base;
}

@InvalidMessage(VALIDATION_FAILED)
export class CreateAssistantDto extends withSettings<CreationOf<typeof ASSISTANT_SETTINGS>>(
  withOtherNames(class {}),
  'create',
) {
  @IdListField({ required: false, description: 'Your mid call tools that the assistant may call.' })
  tool_ids?: number[];

  @IdListField({ required: false, description: 'Your labels of the assistant.' })
  label_ids?: number[];
}

/** Absent keeps; null clears the number and the webhook's URL and is refused elsewhere; lists are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateAssistantDto extends UpdateType(
  withSettings<UpdateOf<typeof ASSISTANT_SETTINGS> & Pick<CreateAssistantDto, 'tool_ids' | 'label_ids'>>(
    class extends CreateAssistantDto {},
    'update',
  ),
) {}

/** Names in answers, by those in requests, of settings that both write alike. */
export const SHOWN_NAMES: Record<string, string> = Object.fromEntries(
  SETTINGS.flatMap(([name, { otherNames }]) =>
    otherNames.filter(({ isAlike }) => isAlike).map((other) => [name, other.name]),
  ),
);

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

const FolderFilter = () => IdField({ required: false, description: 'Assistants in this folder.' });
const LabelFilter = () => IdField({ required: false, description: 'Assistants with this label.' });

@InvalidMessage(VALIDATION_FAILED)
export class FilterAssistantsDto extends ListAssistantsDto {
  @FolderFilter()
  folder_id?: number | null;

  @LabelFilter()
  label_id?: number | null;
}

@InvalidMessage(VALIDATION_FAILED)
export class PageAssistantsDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @EnumField(ASSISTANT_TYPES, { required: false })
  type?: AssistantType | null;

  @FolderFilter()
  folder_id?: number | null;

  @LabelFilter()
  label_id?: number | null;
}
