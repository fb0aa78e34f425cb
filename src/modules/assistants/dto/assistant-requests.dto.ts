import { IdField, UrlField, EnumField } from '#src/common/validation/fields.js';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { pageQuery } from '#src/common/pagination/page.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { ASSISTANT_TYPES, type AssistantType } from '../assistant.types.js';

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
