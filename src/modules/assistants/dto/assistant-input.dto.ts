import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { pageQuery } from '#src/http/pagination/page.js';
import { InvalidMessage } from '#src/http/api-validation.pipe.js';
import { EnumField, IdField, UrlField } from '#src/common/validation/fields.js';
import { IdListField } from '#src/common/validation/object-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import {
  ASSISTANT_STATUSES,
  ASSISTANT_TYPES,
  type AssistantStatus,
  type AssistantType,
} from '../assistant.types.js';
import { AssistantCallFields } from './call-fields.dto.js';

/**
 * The settings are in the classes of `*-fields.dto.ts`, each of which extends the previous one; their columns and
 * defaults in `assistant-settings.ts`.
 */
@InvalidMessage(VALIDATION_FAILED)
export class CreateAssistantDto extends AssistantCallFields {
  @IdListField({ required: false, description: 'Your mid call tools that the assistant may call.' })
  tool_ids?: number[];

  @IdListField({ required: false, description: 'Your labels of the assistant.' })
  label_ids?: number[];
}

/** What an update reads in another way. */
class AssistantChanges extends CreateAssistantDto {
  @IdField({
    description: 'One of your phone numbers; null unassigns it.',
    required: false,
    nullable: true,
  })
  override phone_number_id?: number | null;

  @UrlField({
    description:
      'Post-call notifications; null removes it and ends them. Required when `is_webhook_active` is true.',
    required: false,
    nullable: true,
  })
  override webhook_url?: string | null;

  @EnumField(ASSISTANT_STATUSES, {
    description: 'An inactive assistant neither calls nor answers.',
    required: false,
  })
  status?: AssistantStatus;
}

/** Absent keeps; null clears where it is a value and is refused elsewhere; lists are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateAssistantDto extends UpdateType(AssistantChanges) {}

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
