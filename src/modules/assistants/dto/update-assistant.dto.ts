import { OmitType, PartialType } from '@nestjs/swagger';
import { VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { InvalidMessage } from '#src/common/validation/api-validation.pipe.js';
import { EnumField, IdField, UrlField } from '#src/common/validation/fields.js';
import { ASSISTANT_STATUSES, type AssistantStatus } from '../assistant.types.js';
import { CreateAssistantDto } from './create-assistant.dto.js';

/** Absent keeps; null clears the number and the webhook's URL and is refused elsewhere; lists are replaced whole. */
@InvalidMessage(VALIDATION_FAILED)
export class UpdateAssistantDto extends PartialType(
  OmitType(CreateAssistantDto, ['phone_number_id', 'webhook_url'] as const),
  { skipNullProperties: false },
) {
  @IdField({ required: false, nullable: true, description: 'One of your phone numbers; null unassigns it.' })
  phone_number_id?: number | null;

  @UrlField({
    required: false,
    nullable: true,
    description:
      'Post-call notifications; null removes it and ends them. Required when `is_webhook_active` is true.',
  })
  webhook_url?: string | null;

  @EnumField(ASSISTANT_STATUSES, {
    required: false,
    description: 'An inactive assistant neither calls nor answers.',
  })
  status?: AssistantStatus;
}
