import { pageQuery } from '#src/common/pagination/page.js';
import { EnumField, IdField, TextField } from '#src/common/validation/fields.js';
import { FreeObjectField } from '#src/common/validation/object-fields.js';
import { UUID_LENGTH } from '../../assistants/widget-access.js';
import { CHAT_TYPES, MAX_MESSAGE_CHARACTERS, type ChatType } from '../chat.types.js';

const DEFAULT_PAGE_SIZE = 15;
/** Anybody may begin a conversation: less than the API takes from users. */
const MAX_KILOBYTES = 16;

export class BeginChatDto {
  @TextField({
    max: UUID_LENGTH,
    format: 'uuid',
    description: 'The `uuid` of the assistant.',
    example: '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11',
  })
  assistant_id: string;

  @EnumField(CHAT_TYPES, {
    description:
      '`widget`: from a page of one of the `allowed_origins` of the assistant; `test`: with a token, free of charge, so many ' +
      'in 24 hours as the plan allows.',
  })
  type: ChatType;

  @FreeObjectField({
    required: false,
    maxKilobytes: MAX_KILOBYTES,
    mergesLists: true,
    description:
      "Laid over the assistant's variables. Of visitors only those that `widget_settings.visitor_variables` lists.",
    example: { customer_name: 'Ada' },
  })
  variables?: Record<string, unknown>;
}

export class ChatMessageDto {
  @TextField({ max: MAX_MESSAGE_CHARACTERS, example: 'When do you open?' })
  message: string;
}

export class ListChatsDto extends pageQuery(DEFAULT_PAGE_SIZE) {
  @EnumField(CHAT_TYPES, { required: false })
  type?: ChatType;

  @IdField({ required: false })
  assistant_id?: number;
}
